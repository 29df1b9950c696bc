import type { Command } from "../command.ts";
import type { Options } from "../option.ts";
import { didYouMean, nearest } from "../suggest.ts";
import { UsageError } from "../usage-error.ts";

const formats = ["table", "json", "yaml", "csv"] as const;
export type Format = (typeof formats)[number];

/** For commands that print data. */
export const formatOptions = {
  json: { meaning: "Print JSON. Errors are JSON on standard error." },
  output: {
    value: "FORMAT",
    choices: formats,
    meaning: "Print in this format. json is the same as --json.",
  },
} as const satisfies Options;

/** For commands that print a list. */
export const columnsOption = {
  columns: {
    value: "NAMES",
    meaning: "Columns of the table or CSV, separated by commas, such as id,state.",
  },
} as const satisfies Options;

export interface FormatValues {
  readonly json?: boolean | undefined;
  readonly output?: Format | undefined;
  readonly columns?: string | undefined;
  readonly get?: string | undefined;
  readonly quiet?: boolean | undefined;
}

export function formatOf({ json, output }: FormatValues): Format {
  return json === true ? "json" : (output ?? "table");
}

/** Until the options have been parsed, `--json` can only be searched for. */
export function asksForJson(argv: readonly string[]): boolean {
  return argv.some(
    (arg, index) =>
      ["--json", "--output=json"].includes(arg) ||
      (arg === "json" && argv[index - 1] === "--output"),
  );
}

/** Refuses two formats at once, and columns that the command does not have. */
export function checkFormat(
  { columns }: Command,
  { json, output, get, quiet, columns: names }: FormatValues,
  help: string,
): void {
  const given = Object.entries({ json, output, get, quiet }).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [`--${name}`],
  );
  // --get with --json prints the field, and errors as JSON.
  const [first, second] = given.filter((name) => name !== "--json" || get === undefined);
  if (first !== undefined && second !== undefined) {
    throw new UsageError(`${first} and ${second} cannot be combined.`, help);
  }
  if (names === undefined) return;
  if (columns === undefined)
    throw new UsageError("This command prints no list, so it has no columns.", help);
  if (json || get !== undefined || quiet || output === "json" || output === "yaml") {
    throw new UsageError("--columns is for tables and CSV.", help);
  }
  const known = columns.map(({ field }) => field);
  const wrong = columnsOf(names).find((name) => !known.includes(name));
  if (wrong === undefined) return;
  const near = didYouMean(nearest(wrong, known));
  throw new UsageError(
    `No column ${JSON.stringify(wrong)}. Columns: ${known.join(", ")}.`,
    ...near,
    help,
  );
}

/** The names in `--columns`. */
export function columnsOf(names: string): readonly string[] {
  return names.split(",").map((name) => name.trim());
}
