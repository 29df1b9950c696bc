import { optionsOf, type Command } from "../../../cli/src/command.ts";
import type { Option } from "../option.ts";
import { globalOptions } from "../../../cli/src/shared-options.ts";

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

/** What can stand at one position: a verb, or one argument. */
export interface Slot {
  readonly words: readonly Word[];
  /** Whether it names a file. */
  readonly takesFile: boolean;
}

/** What may follow after these words. */
export interface Place {
  readonly words: readonly string[];
  /** A verb after a noun, and the arguments after a command, in their order. */
  readonly slots: readonly Slot[];
  /** None where a verb is still missing. */
  readonly options: readonly CompletedOption[];
}

/** Every place on a command line at which a shell can help: the beginning, nouns and commands. */
export function completionsOf(table: readonly Command[]): readonly Place[] {
  const byNoun = Map.groupBy(table, ({ words }) => words[0] ?? "");
  const nouns = [...byNoun].filter(([, commands]) =>
    commands.some(({ words }) => words.length > 1),
  );
  const first = [...byNoun].map(([word, commands]) => ({ word, meaning: meaningOf(commands) }));
  return [
    { words: [], slots: [{ words: first, takesFile: false }], options: [] },
    ...nouns.map(([noun, commands]) => ({
      words: [noun],
      slots: [{ words: commands.map(verbOf), takesFile: false }],
      options: [],
    })),
    ...table.map(placeOf),
  ];
}

function verbOf({ words, summary }: Command): Word {
  return { word: words[1] ?? "", meaning: summary };
}

function placeOf(command: Command): Place {
  const { words, arguments: args = [] } = command;
  return {
    words,
    slots: args.map(({ name, choices = [], meaning }) => ({
      words: choices.map((word) => ({ word, meaning })),
      takesFile: name === "file",
    })),
    options: Object.entries({ ...optionsOf(command), ...globalOptions }).map(completed),
  };
}

/** The slots at which a shell has something to offer, each with how many words come before it. */
export function offeredSlots({ words, slots }: Place): readonly (Slot & { before: number })[] {
  return slots
    .map((slot, index) => ({ ...slot, before: words.length + index }))
    .filter((slot) => slot.takesFile || slot.words.length > 0);
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
