import type { Context } from "./context.ts";
import type { Output } from "./output/output.ts";
import type {
  Argument,
  ArgumentValues,
  Options,
  OptionValues,
} from "../../command-line/src/option.ts";
import { askOption, keyOptions, secretOption } from "./shared-options.ts";

/** One command, as data: help, reference, completion and parsing all read this and nothing else. */
export interface Command {
  /** What is typed: a noun and a verb, or one word. */
  readonly words: readonly string[];
  readonly summary: string;
  /** Paragraphs. */
  readonly description?: readonly string[];
  readonly arguments?: readonly Argument[];
  readonly options?: Options;
  readonly examples: readonly Example[];
  /** It asks before it goes on, unless told `--yes`. */
  readonly asks?: true;
  /** It is a write with an idempotency key. */
  readonly keyed?: true;
  /** It asks for passwords, which scripts pipe in. */
  readonly secret?: true;
  /**
   * The fields of the JSON of a command that changes something: `--get` is checked against them before
   * anything is sent. What a reading command prints may grow with the service, and is checked after.
   */
  readonly fields?: readonly string[];
  /** Its answer has a secret that is shown once: standard output is checked before it is sent. */
  readonly showsOnce?: true;
  /** It signs in, so that `--profile` may name a profile that does not exist yet. */
  readonly makesProfile?: true;
  run(call: Call): Promise<Output | undefined>;
}

export interface Example {
  readonly line: string;
  readonly meaning: string;
}

/** One use of a command. */
export interface Call<Arguments = unknown, Values = unknown> {
  readonly args: Arguments;
  readonly options: Values;
  readonly context: Context;
  /** Every command there is. */
  readonly table: readonly Command[];
}

interface Definition<Arguments extends readonly Argument[], Own extends Options> extends Omit<
  Command,
  "run"
> {
  readonly arguments?: Arguments;
  readonly options?: Own;
  run(call: Call<ArgumentValues<Arguments>, OptionValues<Own>>): Promise<Output | undefined>;
}

/** Keeps the literal types of a command's arguments and options, from which its `run` is typed. */
export function command<
  const Arguments extends readonly Argument[] = readonly [],
  const Own extends Options = Readonly<Record<string, never>>,
>(definition: Definition<Arguments, Own>): Command {
  // Parsing has made exactly the values that the definition describes.
  return { ...definition, run: (call) => definition.run(call as never) };
}

/** The options of a command besides the global ones: its own, and those of its kind. */
export function optionsOf(command: Command): Options {
  return {
    ...command.options,
    ...(command.secret && secretOption),
    ...(command.keyed && keyOptions),
    ...(command.asks && askOption),
  };
}
