import {
  offeredSlots,
  valueOptions,
  type CompletedOption,
  type Place,
  type Slot,
} from "./places.ts";

export function bashScript(program: string, places: readonly Place[]): string {
  const values = valueOptions(places);
  return `# bash completion for ${program}: eval "$(${program} completion bash)"
_${program}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local word value="" given=() next="" options="" files=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ -n "$value" && "$word" != "=" ]]; then value=""; continue; fi
    case "$word" in
      ${values.map(({ name }) => `--${name}`).join("|")}) value=yes ;;
      -*|=) ;;
      *) given+=("$word") ;;
    esac
  done
  COMPREPLY=()
  case "$previous" in
${values.map(valueCase).join("\n")}
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
complete -o filenames -F _${program} ${program}`;
}

function valueCase({ name, value, choices }: CompletedOption): string {
  const replies = {
    words: `COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$current")); `,
    file: `COMPREPLY=($(compgen -f -- "$current")); `,
    anything: "",
  };
  return `    --${name}) ${replies[value]}return ;;`;
}

function placeCase(place: Place): string {
  const { words, options } = place;
  const pattern = words.length === 2 ? `"${words.join(" ")}"` : wordPattern(words);
  const slots = offeredSlots(place).map(slotCase);
  const parts = [
    `options="${options.map(({ name }) => `--${name}`).join(" ")}"`,
    ...(slots.length === 0 ? [] : [`case \${#given[@]} in ${slots.join(" ")} esac`]),
  ];
  return `    ${pattern}) ${parts.join("; ")} ;;`;
}

function slotCase({ before, words, takesFile }: Slot & { readonly before: number }): string {
  const next = `next="${words.map(({ word }) => word).join(" ")}"`;
  return `${before}) ${takesFile ? "files=yes" : next} ;;`;
}

/** Matches the word followed by anything. Without a word, matches an empty command line. */
function wordPattern([word]: readonly string[]): string {
  return word === undefined ? `" "` : `"${word} "*`;
}
