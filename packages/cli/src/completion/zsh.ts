import { valueOptions, type CompletedOption, type Place, type Word } from "./completions.ts";

export function zshScript(places: readonly Place[]): string {
  return `#compdef ironlease
# Completion of ironlease for zsh: eval "$(ironlease completion zsh)"
_ironlease() {
  local -a given next options
  local word files=""
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ "$word" == -* ]] || given+=("$word")
  done
  case "\${words[CURRENT-1]}" in
${valueOptions(places).map(valueCase).join("\n")}
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
compdef _ironlease ironlease`;
}

function valueCase({ name, value, choices }: CompletedOption): string {
  const replies = { words: `compadd ${choices.join(" ")}; `, file: "_files; ", anything: "" };
  return `    --${name}) ${replies[value]}return ;;`;
}

function placeCase({ words, next, options, takesFile }: Place): string {
  const [first] = words;
  const oneWord = first === undefined ? `" "` : `"${first} "*`;
  const pattern = words.length === 2 ? `"${words.join(" ")}"` : oneWord;
  const optionWords = options.map(({ name, meaning }) => ({ word: `--${name}`, meaning }));
  return `    ${pattern})
      next=(${next.map(described).join(" ")})
      options=(${optionWords.map(described).join(" ")})${takesFile ? "\n      files=yes" : ""} ;;`;
}

function described({ word, meaning }: Word): string {
  const text = `${word.replaceAll(":", "\\:")}:${meaning}`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
