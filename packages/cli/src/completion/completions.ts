import { optionsOf, type Command } from "../command-line/command.ts";
import type { Option } from "../command-line/option.ts";
import { globalOptions } from "../command-line/shared-options.ts";

export interface Word {
  readonly word: string;
  readonly meaning: string;
}

export interface CompletedOption {
  readonly name: string;
  readonly meaning: string;
  readonly takesValue: boolean;
  /** What its value can be: one of these words, a file, or anything. */
  readonly value: "words" | "file" | "anything";
  readonly choices: readonly string[];
}

/** What may follow after these words. */
export interface Place {
  readonly words: readonly string[];
  /** Verbs after a noun, and an argument's choices after a command. */
  readonly next: readonly Word[];
  /** None where a verb is still missing. */
  readonly options: readonly CompletedOption[];
  /** Whether an argument names a file. */
  readonly takesFile: boolean;
}

/** Every place on a command line at which a shell can help: the beginning, nouns and commands. */
export function completionsOf(table: readonly Command[]): readonly Place[] {
  const byNoun = Map.groupBy(table, ({ words }) => words[0] ?? "");
  const nouns = [...byNoun].filter(([, commands]) =>
    commands.some(({ words }) => words.length > 1),
  );
  const first = [...byNoun].map(([word, commands]) => ({ word, meaning: meaningOf(commands) }));
  return [
    { words: [], next: first, options: [], takesFile: false },
    ...nouns.map(([noun, commands]) => ({
      words: [noun],
      next: commands.map(({ words, summary }) => ({ word: words[1] ?? "", meaning: summary })),
      options: [],
      takesFile: false,
    })),
    ...table.map(placeOf),
  ];
}

function placeOf(command: Command): Place {
  const args = command.arguments ?? [];
  return {
    words: command.words,
    next: args.flatMap(({ choices = [], meaning }) => choices.map((word) => ({ word, meaning }))),
    options: Object.entries({ ...optionsOf(command), ...globalOptions }).map(completed),
    takesFile: args.some(({ name }) => name === "file"),
  };
}

function completed([name, option]: [string, Option]): CompletedOption {
  const { meaning, value: label, choices = [] } = option;
  const otherwise = label === "FILE" ? "file" : "anything";
  const value = choices.length > 0 ? "words" : otherwise;
  return { name, meaning, takesValue: label !== undefined, value, choices };
}

function meaningOf(commands: readonly Command[]): string {
  const [only] = commands;
  return commands.length === 1 && only !== undefined
    ? only.summary
    : commands.map(({ words }) => words[1]).join(", ");
}

/** The value options that some command has, each once: what follows one depends on it alone. */
export function valueOptions(places: readonly Place[]): readonly CompletedOption[] {
  const all = places.flatMap(({ options }) => options).filter(({ takesValue }) => takesValue);
  return [...new Map(all.map((option) => [option.name, option])).values()];
}
