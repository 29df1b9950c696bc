import { parseArgs } from "node:util";

export interface Option<Value> {
  readonly type: "string" | "boolean";
  /** Returns the default for undefined. Throws if the text is invalid. */
  read(name: string, given: string | boolean | undefined): Value;
}

export const engines = ["sqlite", "postgres"] as const;

export const flag: Option<boolean> = { type: "boolean", read: (_, given) => given === true };

export const text: Option<string | undefined> = {
  type: "string",
  read: (_, given) => (typeof given === "string" ? given : undefined),
};

export function whole(): Option<number | undefined>;
export function whole(otherwise: number): Option<number>;
export function whole(otherwise?: number): Option<number | undefined> {
  return {
    type: "string",
    read: (name, given) => {
      if (given === undefined) return otherwise;
      if (/^\d{1,15}$/.test(String(given))) return Number(given);
      throw new Error(`--${name} must be a whole number, not ${String(given)}.`);
    },
  };
}

export function oneOf<const Word extends string>(words: readonly Word[]): Option<Word | undefined>;
export function oneOf<const Word extends string>(
  words: readonly Word[],
  otherwise: Word,
): Option<Word>;
export function oneOf<const Word extends string>(
  words: readonly Word[],
  otherwise?: Word,
): Option<Word | undefined> {
  return {
    type: "string",
    read: (name, given) => {
      if (given === undefined) return otherwise;
      const word = words.find((one) => one === given);
      if (word !== undefined) return word;
      throw new Error(`--${name} must be one of ${words.join(", ")}, not ${String(given)}.`);
    },
  };
}

type Options = Readonly<Record<string, Option<unknown>>>;
type ValuesOf<O extends Options> = {
  readonly [Name in keyof O]: O[Name] extends Option<infer Value> ? Value : never;
};

/** Throws if an argument is invalid. */
export function parseOptions<O extends Options>(
  args: readonly string[],
  options: O,
  words: readonly string[],
): { readonly values: ValuesOf<O>; readonly words: readonly string[] } {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { type }]) => [name, { type }]),
    ),
    allowPositionals: true,
  });
  for (const word of positionals) {
    if (words.includes(word)) continue;
    throw new Error(
      words.length === 0
        ? `Unexpected argument ${word}.`
        : `Unknown argument ${word}. Use ${words.join(", ")}.`,
    );
  }
  const read = Object.entries(options).map(([name, option]) => [
    name,
    option.read(name, values[name]),
  ]);
  return { values: Object.fromEntries(read) as ValuesOf<O>, words: positionals };
}

/** Parses the arguments of this process. Prints the usage and exits for `--help` or an invalid argument. */
export function readOptions<O extends Options>(
  usage: string,
  options: O,
  words: readonly string[] = [],
): { readonly values: ValuesOf<O>; readonly words: readonly string[] } {
  const args = process.argv.slice(2);
  if (args.includes("--help")) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseOptions(args, options, words);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}
