import type { CompletedOption, Place } from "./completions.ts";

export function fishScript(places: readonly Place[]): string {
  return `# Completion of ironlease for fish: ironlease completion fish > ~/.config/fish/completions/ironlease.fish
function __ironlease_at --description 'Whether the words so far begin with these'
    set -l given
    for word in (commandline -opc)[2..-1]
        string match -q -- '-*' $word; or set -a given $word
    end
    set -l count (count $argv)
    test $count -eq 0; and test (count $given) -eq 0; and return 0
    test $count -gt 0; and test (count $given) -ge $count; and test "$given[1..$count]" = "$argv"
end
function __ironlease_only --description 'Whether the words so far are these'
    set -l given
    for word in (commandline -opc)[2..-1]
        string match -q -- '-*' $word; or set -a given $word
    end
    test "$given" = "$argv"
end
complete -c ironlease -f
${places.flatMap(placeLines).join("\n")}`;
}

function placeLines({ words, next, options, takesFile }: Place): readonly string[] {
  const isVerbMissing = options.length === 0;
  const at = `${isVerbMissing ? "__ironlease_only" : "__ironlease_at"} ${words.join(" ")}`.trim();
  const line = (rest: string) => `complete -c ironlease -n ${quoted(at)} ${rest}`;
  return [
    ...next.map(({ word, meaning }) => line(`-a ${quoted(word)} -d ${quoted(meaning)}`)),
    ...(takesFile ? [line("-F")] : []),
    ...options.map((option) => line(optionOf(option))),
  ];
}

function optionOf({ name, meaning, takesValue, value, choices }: CompletedOption): string {
  const replies = { words: ` -x -a ${quoted(choices.join(" "))}`, file: " -r -F", anything: " -x" };
  return `-l ${name}${takesValue ? replies[value] : ""} -d ${quoted(meaning)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
