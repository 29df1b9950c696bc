export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json;
}

/**
 * Canonical JSON (RFC 8785): no white space, members sorted by UTF-16 code units, numbers and strings as JavaScript
 * writes them. Equal values have equal bytes, so they can be hashed and signed.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === "string") return canonicalString(value);
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new TypeError("JSON has no number for this value");
  }
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.entries(value as JsonObject)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${canonicalString(name)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}

function canonicalString(text: string): string {
  if (!text.isWellFormed()) throw new TypeError("the text is not Unicode: it has a lone surrogate");
  return JSON.stringify(text);
}
