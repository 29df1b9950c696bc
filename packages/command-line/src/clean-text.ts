/** Control and bidirectional characters, which a terminal interprets instead of showing. */
// oxlint-disable-next-line eslint/no-control-regex -- matches control characters on purpose
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Escapes control characters. Text that others wrote, such as a key's name, a user agent or a reverse DNS
 * name, must not be able to rewrite the screen.
 */
export function cleanText(text: string): string {
  return text.replaceAll(unsafe, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** The same value with every string cleaned. */
export function clean<Value>(value: Value): Value {
  return cleaned(value) as Value;
}

function cleaned(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cleaned(item)]));
}

/** JSON with the same meaning and without control characters. */
export function cleanJson(value: unknown, indent?: number): string {
  return cleanLines(JSON.stringify(value, undefined, indent) ?? "null");
}

/** Cleans text but keeps its line breaks. */
export function cleanLines(text: string): string {
  return text
    .split("\n")
    .map((line) => cleanText(line))
    .join("\n");
}
