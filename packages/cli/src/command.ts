import type {
  Argument,
  ArgumentValues,
  Command as TableEntry,
  Options,
  OptionValues,
  Program,
} from "@ironlease/command-line";
import type { Context } from "./context.ts";
import type { Output } from "./output/output.ts";
import { askOption, keyOptions, secretOption } from "./shared-options.ts";

/** What kind of command it is. Options that all commands of a kind share follow from it. */
interface Kind {
  /** It asks for confirmation unless `--yes` is given. */
  readonly asks?: true;
  /** It is a write with an idempotency key. */
  readonly keyed?: true;
  /** It asks for passwords, which scripts pipe in. */
  readonly secret?: true;
  /** The response carries a secret that is shown once: standard output is checked before sending. */
  readonly showsOnce?: true;
  /** It signs in, so `--profile` may name a profile that does not exist yet. */
  readonly makesProfile?: true;
}

/**
 * A command of ironlease. Those that change something name their JSON fields, so that `--get` is
 * checked before anything is sent.
 */
export interface Command extends TableEntry, Kind {
  run(call: Call): Promise<Output | undefined>;
}

export type Ironlease = Program<Command>;

/** One use of a command. */
export interface Call<Arguments = unknown, Values = unknown> {
  readonly args: Arguments;
  readonly options: Values;
  readonly context: Context;
  readonly program: Ironlease;
}

interface Definition<Arguments extends readonly Argument[], Own extends Options> extends Omit<
  Command,
  "run"
> {
  readonly arguments?: Arguments;
  readonly options?: Own;
  run(call: Call<ArgumentValues<Arguments>, OptionValues<Own>>): Promise<Output | undefined>;
}

/** Adds the options of the command's kind, and types `run` by the command's own arguments and options. */
export function command<
  const Arguments extends readonly Argument[] = readonly [],
  const Own extends Options = Readonly<Record<string, never>>,
>(definition: Definition<Arguments, Own>): Command {
  const { options, secret, keyed, asks } = definition;
  return {
    ...definition,
    options: {
      ...options,
      ...(secret && secretOption),
      ...(keyed && keyOptions),
      ...(asks && askOption),
    },
    // The parser produces exactly the values that the definition describes.
    run: (call) => definition.run(call as never),
  };
}
