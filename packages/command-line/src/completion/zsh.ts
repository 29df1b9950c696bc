import {
  offeredSlots,
  valueOptions,
  type CompletedOption,
  type Place,
  type Slot,
  type Word,
} from "./places.ts";

export function zshScript(program: string, places: readonly Place[]): string {
  const values = valueOptions(places);
  return `#compdef ${program}
# zsh completion for ${program}: eval "$(${program} completion zsh)"
_${program}() {
  local -a given next options
  local word value="" files=""
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n "$value" ]]; then value=""; continue; fi
    case "$word" in
      ${values.map(({ name }) => `--${name}`).join("|")}) value=yes ;;
      -*) ;;
      *) given+=("$word") ;;
    esac
  done
  case "\${words[CURRENT-1]}" in
${values.map(valueCase).join("\n")}
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
  fi
}
compdef _${program} ${program}`;
}

function valueCase({ name, value, choices }: CompletedOption): string {
  const replies = { words: `compadd ${choices.join(" ")}; `, file: "_files; ", anything: "" };
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

function slotCase({ before, words, takesFile }: Slot & { readonly before: number }): string {
  const next = `next=(${words.map(described).join(" ")})`;
  return `${before}) ${takesFile ? "files=yes" : next} ;;`;
}

function described({ word, meaning }: Word): string {
  const text = `${word.replaceAll(":", "\\:")}:${meaning}`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
