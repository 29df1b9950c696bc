/**
 * What a terminal would act on instead of showing it: control characters, and those that turn the
 * direction of writing around.
 */
// oxlint-disable-next-line eslint/no-control-regex -- these are the characters in question
const acting = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Text that others may have written (a key's name, a browser's name for itself, a reverse DNS name)
 * must not be able to rewrite the screen that it is shown on.
 */
export function cleanText(text: string): string {
  return text.replaceAll(acting, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** The same value with every text in it made safe to show. */
export function clean<Value>(value: Value): Value {
  return cleaned(value) as Value;
}

function cleaned(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cleaned(item)]));
}

/** JSON whose text does nothing to a terminal, and means the same. */
export function cleanJson(value: unknown, indent?: number): string {
  return cleanLines(JSON.stringify(value, undefined, indent) ?? "null");
}

/** Text of several lines. */
export function cleanLines(text: string): string {
  return text
    .split("\n")
    .map((line) => cleanText(line))
    .join("\n");
}
