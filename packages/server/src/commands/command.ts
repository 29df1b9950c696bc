import type {
  Argument,
  ArgumentValues,
  Command as TableEntry,
  Options,
  OptionValues,
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
  readonly print: Print;
  /** With `--json` or `--output`, this is printed instead of the lines. */
  readonly data: (document: object) => void;
}

/** The place of each setting that is not a default: `environment`, or a file and its line. */
export type Sources = ReadonlyMap<string, string>;

/** The options of every command that calls `data`. */
export const jsonOption = {
  json: { meaning: "Print JSON. An error is JSON on standard error." },
  output: {
    value: "FORMAT",
    choices: ["json", "yaml"],
    meaning: "Print in this format. json is the same as --json.",
  },
} as const;

export interface Command extends TableEntry {
  /**
   * `stream` writes each line to standard output at once. `result` holds the lines back, and writes
   * them to standard output if the command succeeds or else to standard error.
   */
  readonly output: "stream" | "result";
  /** Runs without reading the settings. */
  readonly ignoresSettings?: true;
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

/** Types `run` by the command's own arguments and options. */
export function command<
  const Arguments extends readonly Argument[] = readonly [],
  const Own extends Options = Readonly<Record<string, never>>,
>(definition: Definition<Arguments, Own>): Command {
  // The parser produces exactly the values that the definition describes.
  return { output: "result", ...definition, run: (call) => definition.run(call as never) };
}
