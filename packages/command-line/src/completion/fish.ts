import { offeredSlots, valueOptions, type CompletedOption, type Place } from "./places.ts";

export function fishScript(
  program: string,
  places: readonly Place[],
  completer: string | undefined,
): string {
  return `# fish completion for ${program}: ${program} completion fish > ~/.config/fish/completions/${program}.fish
function __${program}_given --description 'The words so far, without options and their values'
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
function __${program}_at --description 'Whether the words so far begin with these'
    set -l given (__${program}_given)
    set -l count (count $argv)
    test $count -gt 0; and test (count $given) -ge $count; and test "$given[1..$count]" = "$argv"
end
function __${program}_next --description 'Whether there are this many words so far, beginning with these'
    test (count (__${program}_given)) -eq $argv[1]; or return 1
    test (count $argv) -eq 1; or __${program}_at $argv[2..-1]
end
${completer === undefined ? "" : lookUp(program, completer)}complete -c ${program} -f
${places.flatMap((place) => placeLines(program, place)).join("\n")}`;
}

function lookUp(program: string, completer: string): string {
  return `function __${program}_look_up --description 'What the service has'
    ${program} ${completer} $argv[1] -- (commandline -opc)[2..-1] 2>/dev/null </dev/null
end
`;
}

function placeLines(program: string, place: Place): readonly string[] {
  const { words, options } = place;
  const line = (at: string, rest: string) => `complete -c ${program} -n ${quoted(at)} ${rest}`;
  const slotLines = offeredSlots(place).flatMap(({ before, words: next, takesFile, source }) => {
    const at = [`__${program}_next`, before, ...words].join(" ");
    if (source !== undefined) return [line(at, `-a ${lookedUp(program, source)}`)];
    return takesFile
      ? [line(at, "-F")]
      : next.map(({ word, meaning }) => line(at, `-a ${quoted(word)} -d ${quoted(meaning)}`));
  });
  const at = [`__${program}_at`, ...words].join(" ");
  return [...slotLines, ...options.map((option) => line(at, optionOf(program, option)))];
}

function lookedUp(program: string, source: string): string {
  return quoted(`(__${program}_look_up ${source})`);
}

function optionOf(program: string, option: CompletedOption): string {
  const { name, meaning, takesValue, value, choices, source = "" } = option;
  const replies = {
    words: ` -x -a ${quoted(choices.join(" "))}`,
    file: " -r -F",
    source: ` -x -a ${lookedUp(program, source)}`,
    anything: " -x",
  };
  return `-l ${name}${takesValue ? replies[value] : ""} -d ${quoted(meaning)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
