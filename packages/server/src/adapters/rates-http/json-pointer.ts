const escapes: Readonly<Record<string, string>> = { "~0": "~", "~1": "/" };

/** Reads a JSON Pointer (RFC 6901) into its reference tokens. Returns undefined when it is not one. */
export function readPointer(pointer: string): readonly string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return undefined;
  const unescape = (token: string) => token.replaceAll(/~[01]/g, (escape) => escapes[escape] ?? "");
  return pointer.slice(1).split("/").map(unescape);
}

const arrayIndex = /^(?:0|[1-9]\d{0,8})$/;

/** The value that the tokens lead to, or undefined. Inherited properties are not part of a document. */
export function valueAt(document: unknown, tokens: readonly string[]): unknown {
  let value = document;
  for (const token of tokens) {
    if (typeof value !== "object" || value === null) return undefined;
    if (Array.isArray(value) && !arrayIndex.test(token)) return undefined;
    if (!Object.hasOwn(value, token)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[token];
  }
  return value;
}
