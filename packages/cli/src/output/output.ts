import { clean, type Style } from "@ironlease/command-line";

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
export interface Output {
  readonly json: unknown;
  readonly once?: Once | undefined;
  text(style: Style): string;
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
