import { valueOptions, type CompletedOption, type Place } from "./completions.ts";

export function bashScript(places: readonly Place[]): string {
  return `# Completion of ironlease for bash: eval "$(ironlease completion bash)"
_ironlease() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local word given=() next="" options="" files=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ "$word" == -* ]] || given+=("$word")
  done
  COMPREPLY=()
  case "$previous" in
${valueOptions(places).map(valueCase).join("\n")}
  esac
  case "\${given[0]-} \${given[1]-}" in
${places
  .toSorted((one, other) => other.words.length - one.words.length)
  .map(placeCase)
  .join("\n")}
  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$next" -- "$current"))
    [[ -z "$files" ]] || COMPREPLY+=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _ironlease ironlease`;
}

function valueCase({ name, value, choices }: CompletedOption): string {
  const replies = {
    words: `COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$current")); `,
    file: `COMPREPLY=($(compgen -f -- "$current")); `,
    anything: "",
  };
  return `    --${name}) ${replies[value]}return ;;`;
}

function placeCase({ words, next, options, takesFile }: Place): string {
  const pattern = words.length === 2 ? `"${words.join(" ")}"` : wordPattern(words);
  const parts = [
    `next="${next.map(({ word }) => word).join(" ")}"`,
    `options="${options.map(({ name }) => `--${name}`).join(" ")}"`,
    ...(takesFile ? ["files=yes"] : []),
  ];
  return `    ${pattern}) ${parts.join("; ")} ;;`;
}

/** One word is followed by anything; none at all by nothing. */
function wordPattern([word]: readonly string[]): string {
  return word === undefined ? `" "` : `"${word} "*`;
}
