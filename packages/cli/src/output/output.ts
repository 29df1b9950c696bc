import { clean } from "./clean.ts";
import type { Style } from "./style.ts";

/** What a command has to say: to programs, and to people. */
export interface Output {
  readonly json: unknown;
  text(style: Style): string;
}

/** An answer, and how it reads. What is shown of it can do nothing to a terminal. */
export function output<Answer>(
  answer: Answer,
  text: (shown: Answer, style: Style) => string | readonly string[],
): Output {
  return {
    json: answer,
    text: (style) => {
      const lines = text(clean(answer), style);
      return typeof lines === "string" ? lines : lines.join("\n");
    },
  };
}

/** One field of an answer: `id`, or `servers.0.id`. */
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
