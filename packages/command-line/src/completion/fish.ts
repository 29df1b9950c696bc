import { offeredSlots, valueOptions, type CompletedOption, type Place } from "./places.ts";

export function fishScript(places: readonly Place[]): string {
  return `# Completion of ironlease for fish: ironlease completion fish > ~/.config/fish/completions/ironlease.fish
function __ironlease_given --description 'The words so far, without options and their values'
    set -l value
    for word in (commandline -opc)[2..-1]
        if test -n "$value"
            set value
            continue
        end
        switch $word
            case ${valueOptions(places)
              .map(({ name }) => `--${name}`)
              .join(" ")}
                set value yes
            case '-*'
            case '*'
                echo $word
        end
    end
end
function __ironlease_at --description 'Whether the words so far begin with these'
    set -l given (__ironlease_given)
    set -l count (count $argv)
    test $count -gt 0; and test (count $given) -ge $count; and test "$given[1..$count]" = "$argv"
end
function __ironlease_next --description 'Whether so many words are there, beginning with these'
    test (count (__ironlease_given)) -eq $argv[1]; or return 1
    test (count $argv) -eq 1; or __ironlease_at $argv[2..-1]
end
complete -c ironlease -f
${places.flatMap(placeLines).join("\n")}`;
}

function placeLines(place: Place): readonly string[] {
  const { words, options } = place;
  const line = (at: string, rest: string) => `complete -c ironlease -n ${quoted(at)} ${rest}`;
  const slotLines = offeredSlots(place).flatMap(({ before, words: next, takesFile }) => {
    const at = ["__ironlease_next", before, ...words].join(" ");
    return takesFile
      ? [line(at, "-F")]
      : next.map(({ word, meaning }) => line(at, `-a ${quoted(word)} -d ${quoted(meaning)}`));
  });
  const at = ["__ironlease_at", ...words].join(" ");
  return [...slotLines, ...options.map((option) => line(at, optionOf(option)))];
}

function optionOf({ name, meaning, takesValue, value, choices }: CompletedOption): string {
  const replies = { words: ` -x -a ${quoted(choices.join(" "))}`, file: " -r -F", anything: " -x" };
  return `-l ${name}${takesValue ? replies[value] : ""} -d ${quoted(meaning)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
