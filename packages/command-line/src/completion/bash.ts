import {
  offeredSlots,
  valueOptions,
  type CompletedOption,
  type Place,
  type Slot,
} from "./places.ts";

export function bashScript(
  program: string,
  places: readonly Place[],
  completer: string | undefined,
): string {
  const values = valueOptions(places);
  return `# bash completion for ${program}: eval "$(${program} completion bash)"
${completer === undefined ? "" : lookUp(program, completer)}_${program}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local word value="" given=() next="" options="" files="" source=""
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
${values.map((option) => valueCase(program, option)).join("\n")}
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
${completer === undefined ? "" : `    [[ -z "$source" ]] || _${program}_look_up "$source"\n`}  fi
}
complete -o filenames -F _${program} ${program}`;
}

/**
 * compgen -W would expand the words of the service as shell code, so they are compared one by one. Bash quotes them when
 * it inserts them, because of -o filenames.
 */
function lookUp(program: string, completer: string): string {
  return `_${program}_look_up() {
  local line
  while IFS= read -r line; do
    line="\${line%%$'\\t'*}"
    if [[ "$line" == "$current"* ]]; then COMPREPLY+=("$line"); fi
  done < <(${program} ${completer} "$1" -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null </dev/null)
}
`;
}

function valueCase(program: string, option: CompletedOption): string {
  const { name, value, choices, source } = option;
  const replies = {
    words: `COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$current")); `,
    file: `COMPREPLY=($(compgen -f -- "$current")); `,
    source: `_${program}_look_up ${source}; `,
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

function slotCase(slot: Slot & { readonly before: number }): string {
  const { before, words, takesFile, source } = slot;
  const next = `next="${words.map(({ word }) => word).join(" ")}"`;
  const lookUp = source === undefined ? next : `source=${source}`;
  return `${before}) ${takesFile ? "files=yes" : lookUp} ;;`;
}

/** Matches the word followed by anything. Without a word, matches an empty command line. */
function wordPattern([word]: readonly string[]): string {
  return word === undefined ? `" "` : `"${word} "*`;
}
