import { parseArgs } from "node:util";
import { nameOf, type Command, type Program } from "./command.ts";
import type { Argument, Option, Options } from "./option.ts";
import { ownEntry } from "./own-entry.ts";
import { didYouMean, nearest } from "./suggest.ts";
import { UsageError } from "./usage-error.ts";

type Values = Record<string, string | boolean | undefined>;

export interface Parsed {
  readonly args: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The command's own options and the global ones. */
  readonly options: Readonly<Values>;
  /** `--help` was given, so nothing else was checked. */
  readonly isHelp: boolean;
}

/** Parses the arguments and options after the command's words. Throws a UsageError if they are invalid. */
export function parse(program: Program, command: Command, rest: readonly string[]): Parsed {
  const known: Options = { ...command.options, ...program.globalOptions };
  const help = `${program.name} ${nameOf(command)} --help`;
  // --help takes precedence over any error in the command line.
  if (asksForHelp(known, rest)) return { args: {}, options: {}, isHelp: true };
  const { given, positionals } = readTokens(known, rest, help);
  const options: Values = {};
  for (const [name, option] of Object.entries(known)) {
    const value = given.get(name) ?? option.fallback;
    if (option.required && value === undefined) {
      throw new UsageError(`--${name} ${option.value ?? ""} is required.`, help);
    }
    options[name] =
      option.value === undefined ? value === true : chosen(`--${name}`, option, value, help);
  }
  const args = readArguments(command.arguments ?? [], positionals, help);
  return { args, options, isHelp: false };
}

function tokensOf(known: Options, args: readonly string[]) {
  const { tokens } = parseArgs({
    args: [...args],
    options: parserOptions(known),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  return tokens;
}

function asksForHelp(known: Options, args: readonly string[]): boolean {
  return tokensOf(known, args).some((token) => token.kind === "option" && token.name === "help");
}

function readTokens(known: Options, args: readonly string[], help: string) {
  const given = new Map<string, string | true>();
  const positionals: string[] = [];
  for (const token of tokensOf(known, args)) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName, value, inlineValue } = token;
    const option = ownEntry(known, name);
    if (option === undefined) {
      const near = nearest(name, Object.keys(known)).map((other) => `--${other}`);
      throw new UsageError(`Unknown option ${rawName}.`, ...didYouMean(near), help);
    }
    if (given.has(name)) throw new UsageError(`--${name} is given twice.`, help);
    if (option.value === undefined) {
      if (value !== undefined) throw new UsageError(`--${name} takes no value.`, help);
      given.set(name, true);
    } else {
      // In `--to --yes` the value is missing, and --yes must not be used as one.
      const isMissing = value === undefined || (!inlineValue && value.startsWith("--"));
      if (isMissing) throw new UsageError(`--${name} needs a value: ${option.value}.`, help);
      given.set(name, value);
    }
  }
  return { given, positionals };
}

export function parserOptions(known: Options) {
  return Object.fromEntries(
    Object.entries(known).map(([name, { value, short }]) => [
      name,
      {
        type: value === undefined ? ("boolean" as const) : ("string" as const),
        ...(short === undefined ? {} : { short }),
      },
    ]),
  );
}

function readArguments(
  known: readonly Argument[],
  positionals: readonly string[],
  help: string,
): Parsed["args"] {
  const surplus = positionals[known.length];
  if (surplus !== undefined && known.at(-1)?.many !== true) {
    throw new UsageError(`Unexpected argument ${JSON.stringify(surplus)}.`, help);
  }
  const values = known.map(
    (argument, index): readonly [string, string | readonly string[] | undefined] => {
      const value = positionals[index];
      const label = argument.name.toUpperCase();
      if (!argument.optional && value === undefined) {
        throw new UsageError(`${label} is required: ${argument.meaning}`, help);
      }
      if (argument.many) return [argument.name, positionals.slice(index)];
      return [argument.name, chosen(label, argument, value, help)];
    },
  );
  return Object.fromEntries(values);
}

/** The matching choice, with the capitalisation of the command table. */
function chosen(
  label: string,
  { choices }: Argument | Option,
  value: string | true | undefined,
  help: string,
): string | undefined {
  if (typeof value !== "string") return undefined;
  if (choices === undefined) return value;
  const choice = choices.find((word) => word.toLowerCase() === value.toLowerCase());
  if (choice !== undefined) return choice;
  throw new UsageError(`${label} must be one of ${choices.join(", ")}.`, help);
}
