import {
  columnsOption,
  formatOptions,
  type Argument,
  type ArgumentValues,
  type Command as TableEntry,
  type List,
  type Options,
  type OptionValues,
} from "@ironlease/command-line";

export type Environment = Readonly<Record<string, string | undefined>>;
export type Print = (line: string) => void;

/** One use of a command. */
export interface Call<Arguments = unknown, Values = unknown> {
  readonly args: Arguments;
  readonly options: Values;
  /** The settings from the environment and the file. */
  readonly env: Environment;
  /** Where each setting in `env` comes from. */
  readonly sources: Sources;
  /** The settings file and others that contain secret settings. */
  readonly secretFiles: readonly string[];
  /** What is wrong with the settings file and with files of secrets. Only commands that report it run then. */
  readonly sourceProblems?: readonly string[];
  readonly print: Print;
  /** With `--json`, `--output` or `--columns`, this is printed instead of the lines. CSV has the list, if there is one. */
  readonly data: <Row>(document: object, list?: List<Row>) => void;
  /** A remark that is no part of the data. */
  readonly note: Print;
}

/** The place of each setting that is not a default: `environment`, or a file and its line. */
export type Sources = ReadonlyMap<string, string>;

export interface Command extends TableEntry {
  /**
   * `stream` writes each line to standard output at once. `result` holds the lines back, and writes
   * them to standard output if the command succeeds or else to standard error.
   */
  readonly output: "stream" | "result";
  /** Runs without reading the settings. */
  readonly ignoresSettings?: true;
  /** Runs although a file of settings cannot be used, and reports why. */
  readonly reportsSources?: true;
  /** Resolves with the exit code. */
  run(call: Call): Promise<number>;
}

interface Definition<Arguments extends readonly Argument[], Own extends Options> extends Omit<
  Command,
  "run" | "output"
> {
  readonly output?: "stream";
  readonly arguments?: Arguments;
  readonly options?: Own;
  run(call: Call<ArgumentValues<Arguments>, OptionValues<Own>>): Promise<number>;
}

/** Adds the options of commands that print data, and types `run` by the command's own arguments and options. */
export function command<
  const Arguments extends readonly Argument[] = readonly [],
  const Own extends Options = Readonly<Record<string, never>>,
>(definition: Definition<Arguments, Own>): Command {
  const { options, fields, columns } = definition;
  return {
    output: "result",
    ...definition,
    options: { ...options, ...(fields && formatOptions), ...(columns && columnsOption) },
    // The parser produces exactly the values that the definition describes.
    run: (call) => definition.run(call as never),
  };
}
