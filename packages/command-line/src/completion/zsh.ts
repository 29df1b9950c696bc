import {
  offeredSlots,
  valueOptions,
  type CompletedOption,
  type Place,
  type Slot,
  type Word,
} from "./places.ts";

export function zshScript(
  program: string,
  places: readonly Place[],
  completer: string | undefined,
): string {
  const values = valueOptions(places);
  return `#compdef ${program}
# zsh completion for ${program}: eval "$(${program} completion zsh)"
${completer === undefined ? "" : lookUp(program, completer)}_${program}() {
  local -a given next options
  local word value="" files="" source=""
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n "$value" ]]; then value=""; continue; fi
    case "$word" in
      ${values.map(({ name }) => `--${name}`).join("|")}) value=yes ;;
      -*) ;;
      *) given+=("$word") ;;
    esac
  done
  case "\${words[CURRENT-1]}" in
${values.map((option) => valueCase(program, option)).join("\n")}
  esac
  case "\${given[1]-} \${given[2]-}" in
${places
  .toSorted((one, other) => other.words.length - one.words.length)
  .map(placeCase)
  .join("\n")}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    _describe option options
  else
    (( \${#next} )) && _describe word next
    [[ -z "$files" ]] || _files
${completer === undefined ? "" : `    [[ -z "$source" ]] || _${program}_look_up "$source"\n`}  fi
}
compdef _${program} ${program}`;
}

/** zsh quotes what it inserts. A colon separates a word from its meaning. */
function lookUp(program: string, completer: string): string {
  return `_${program}_look_up() {
  local line
  local -a found
  for line in "\${(@f)$(${program} ${completer} "$1" -- "\${(@Q)words[2,CURRENT-1]}" 2>/dev/null </dev/null)}"; do
    [[ -z "$line" ]] || found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  (( \${#found} )) && _describe "$1" found
}
`;
}

function valueCase(program: string, option: CompletedOption): string {
  const { name, value, choices, source } = option;
  const replies = {
    words: `compadd ${choices.join(" ")}; `,
    file: "_files; ",
    source: `_${program}_look_up ${source}; `,
    anything: "",
  };
  return `    --${name}) ${replies[value]}return ;;`;
}

function placeCase(place: Place): string {
  const { words, options } = place;
  const [first] = words;
  const oneWord = first === undefined ? `" "` : `"${first} "*`;
  const pattern = words.length === 2 ? `"${words.join(" ")}"` : oneWord;
  const optionWords = options.map(({ name, meaning }) => ({ word: `--${name}`, meaning }));
  const slots = offeredSlots(place).map(slotCase);
  const bySlot = slots.length === 0 ? "" : `\n      case \${#given} in ${slots.join(" ")} esac`;
  return `    ${pattern})
      options=(${optionWords.map(described).join(" ")})${bySlot} ;;`;
}

function slotCase(slot: Slot & { readonly before: number }): string {
  const { before, words, takesFile, source } = slot;
  const next = `next=(${words.map(described).join(" ")})`;
  const lookUp = source === undefined ? next : `source=${source}`;
  return `${before}) ${takesFile ? "files=yes" : lookUp} ;;`;
}

function described({ word, meaning }: Word): string {
  const text = `${word.replaceAll(":", "\\:")}:${meaning}`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
