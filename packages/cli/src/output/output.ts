import { clean, table, type List, type Result, type Style } from "@ironlease/command-line";

/** A secret that the service shows only once. */
export interface Once {
  readonly secret: string;
  /** What has happened: `The API key key_… was created`. */
  readonly done: string;
  /** What the secret is: `its value`. */
  readonly what: string;
  readonly ifLost: readonly string[];
}

/** The result of a command, for programs and for people. */
export interface Output extends Result {
  readonly once?: Once | undefined;
}

/** A response and its text, in which no value can act on a terminal. */
export function output<Answer>(
  answer: Answer,
  text: (shown: Answer, style: Style) => string | readonly string[],
  once?: Once,
): Output {
  return {
    json: answer,
    once,
    text: (style) => {
      const lines = text(clean(answer), style);
      return typeof lines === "string" ? lines : lines.join("\n");
    },
  };
}

interface Around {
  /** Text above the table, which is all there is without rows. */
  readonly above?: (style: Style) => string;
  /** Instead of a table without rows. */
  readonly none?: string;
}

/** A response that is a list, as a table. */
export function listed<Row>(
  answer: unknown,
  { rows, columns }: List<Row>,
  { above, none }: Around = {},
): Output {
  const shown = columns.filter(({ isExtra }) => !isExtra);
  const text = (_: unknown, style: Style) => {
    const lead = above?.(style) ?? none;
    if (rows.length === 0 && lead !== undefined) return lead;
    const lines = table(style, shown, clean(rows));
    return above === undefined ? lines : [above(style), "", lines];
  };
  return withList(output(answer, text), { rows, columns });
}

/** The same result with a list for programs. */
export function withList<Row>(result: Output, list: List<Row>): Output {
  // Only these columns ever see these rows.
  return { ...result, list: list as unknown as List };
}

/** One field of a response, such as `id` or `servers.0.id`. */
export function fieldOf(json: unknown, path: string): unknown {
  let value = json;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) {
      return undefined;
    }
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
