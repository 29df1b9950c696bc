import { parseArgs } from "node:util";
import { optionsOf, type Command } from "../../cli/src/command.ts";
import type { Argument, Option, Options } from "./option.ts";
import { usageFailure } from "../../cli/src/failures/failure.ts";
import { lookUp } from "./own-entry.ts";
import { globalOptions, type SharedValues } from "../../cli/src/shared-options.ts";
import { meant, nearest } from "./suggest.ts";

export interface Parsed {
  readonly args: Readonly<Record<string, string | undefined>>;
  /** The command's own options and the shared ones alike. */
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly shared: SharedValues;
}

type Values = Record<string, string | boolean | undefined>;

/** What follows the command's words, as its table says; anything else is refused with a sentence. */
export function parse(command: Command, rest: readonly string[]): Parsed {
  const known: Options = { ...optionsOf(command), ...globalOptions };
  const help = `ironlease ${command.words.join(" ")} --help`;
  const { given, positionals } = readTokens(known, rest, help);
  const options: Values = {};
  for (const [name, option] of Object.entries(known)) {
    const value = given.get(name) ?? option.fallback;
    options[name] = option.value === undefined ? value === true : value;
  }
  const shared = options as unknown as SharedValues;
  if (shared.help) return { args: {}, options, shared };
  for (const [name, option] of Object.entries(known)) {
    if (option.required && options[name] === undefined) {
      throw usageFailure(`--${name} ${option.value ?? ""} is missing.`, help);
    }
    options[name] = chosen(`--${name}`, option, options[name]);
  }
  if (shared.resend === true && shared["idempotency-key"] === undefined) {
    throw usageFailure("--resend needs the --idempotency-key that it was sent with.", help);
  }
  checkField(command, shared.get, help);
  if (!/^[1-9]\d{0,4}$/.test(shared.timeout)) {
    throw usageFailure("--timeout takes a whole number of seconds from 1 to 99999.", help);
  }
  return { args: readArguments(command.arguments ?? [], positionals, help), options, shared };
}

/** A mistyped field is found before a change is made whose answer it would hide. */
function checkField({ fields }: Command, path: string | undefined, help: string): void {
  const [name = ""] = path?.split(".") ?? [];
  if (fields === undefined || path === undefined || fields.includes(name)) return;
  const near = meant(nearest(name, fields));
  throw usageFailure(`--get takes one of ${fields.join(", ")}, not ${name}.`, ...near, help);
}

function readTokens(known: Options, args: readonly string[], help: string) {
  const { tokens } = parseArgs({
    args: [...args],
    options: parserOptions(known),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const given = new Map<string, string | true>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName, value, inlineValue } = token;
    const option = lookUp(known, name);
    if (option === undefined) {
      const near = nearest(name, Object.keys(known)).map((other) => `--${other}`);
      throw usageFailure(`There is no option ${rawName} here.`, ...meant(near), help);
    }
    if (given.has(name)) throw usageFailure(`--${name} is given twice.`, help);
    if (option.value === undefined) {
      if (value !== undefined) throw usageFailure(`--${name} takes no value.`, help);
      given.set(name, true);
    } else {
      // The next option is no value: somebody forgot it.
      const isMissing = value === undefined || (!inlineValue && value.startsWith("--"));
      if (isMissing) throw usageFailure(`--${name} needs a ${option.value}.`, help);
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
): Values & Parsed["args"] {
  const surplus = positionals[known.length];
  if (surplus !== undefined) {
    throw usageFailure(`${JSON.stringify(surplus)} is one argument too many.`, help);
  }
  return Object.fromEntries(
    known.map((argument, index) => {
      const value = positionals[index];
      const label = argument.name.toUpperCase();
      if (value === undefined && !argument.optional) {
        throw usageFailure(`${label} is missing: ${argument.meaning}`, help);
      }
      return [argument.name, chosen(label, argument, value)];
    }),
  );
}

/** One of the choices, however it was capitalised. */
function chosen<Value extends string | boolean | undefined>(
  label: string,
  { choices }: Argument | Option,
  value: Value,
): Value | string {
  if (choices === undefined || typeof value !== "string") return value;
  const choice = choices.find((word) => word.toLowerCase() === value.toLowerCase());
  if (choice === undefined) {
    throw usageFailure(`${label} must be one of ${choices.join(", ")}.`);
  }
  return choice;
}
