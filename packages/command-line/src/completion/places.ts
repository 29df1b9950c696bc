import { shownCommands, type Command, type Program } from "../command.ts";
import { groupBy } from "../group-by.ts";
import type { Option, Options } from "../option.ts";

export interface Word {
  readonly word: string;
  readonly meaning: string;
}

export interface CompletedOption {
  readonly name: string;
  readonly meaning: string;
  readonly takesValue: boolean;
  /** How its value is completed. */
  readonly value: "words" | "file" | "source" | "anything";
  readonly choices: readonly string[];
  /** What the program looks up for it. */
  readonly source: string | undefined;
}

/** One position on the command line: a verb, or one argument. */
export interface Slot {
  readonly words: readonly Word[];
  /** Whether it names a file. */
  readonly takesFile: boolean;
  /** What the program looks up for it. */
  readonly source?: string | undefined;
}

/** The completions after these words. */
export interface Place {
  readonly words: readonly string[];
  /** The verb after a noun, or the arguments after a command, in order. */
  readonly slots: readonly Slot[];
  /** Empty until the verb is typed. */
  readonly options: readonly CompletedOption[];
}

/** Every place at which a shell can complete: the beginning, nouns and commands. */
export function placesOf(program: Program): readonly Place[] {
  const { globalOptions } = program;
  const commands = shownCommands(program);
  const byNoun = groupBy(commands, ({ words }) => words[0] ?? "");
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
    ...commands.map((command) => placeOf(command, globalOptions)),
  ];
}

function verbOf({ words, summary }: Command): Word {
  return { word: words[1] ?? "", meaning: summary };
}

function placeOf(command: Command, globalOptions: Options): Place {
  const { words, arguments: args = [], options = {} } = command;
  return {
    words,
    slots: args.map(({ name, choices = [], meaning, completes }) => ({
      words: choices.map((word) => ({ word, meaning })),
      takesFile: name === "file",
      source: completes,
    })),
    options: Object.entries({ ...options, ...globalOptions }).map(completed),
  };
}

/** The slots that a shell can complete, each with the number of words before it. */
export function offeredSlots({ words, slots }: Place): readonly (Slot & { before: number })[] {
  return slots
    .map((slot, index) => ({ ...slot, before: words.length + index }))
    .filter(
      ({ takesFile, words, source }) => takesFile || words.length > 0 || source !== undefined,
    );
}

function completed([name, option]: [string, Option]): CompletedOption {
  const { meaning, value: label, choices = [], completes: source } = option;
  const otherwise = label === "FILE" ? "file" : "anything";
  const lookedUp = source === undefined ? otherwise : "source";
  const value = choices.length > 0 ? "words" : lookedUp;
  return { name, meaning, takesValue: label !== undefined, value, choices, source };
}

function meaningOf(commands: readonly Command[]): string {
  const [only] = commands;
  return commands.length === 1 && only !== undefined
    ? only.summary
    : commands.map(({ words }) => words[1]).join(", ");
}

/** Every option that takes a value, once: its completion does not depend on the command. */
export function valueOptions(places: readonly Place[]): readonly CompletedOption[] {
  const all = places.flatMap(({ options }) => options).filter(({ takesValue }) => takesValue);
  return [...new Map(all.map((option) => [option.name, option])).values()];
}
