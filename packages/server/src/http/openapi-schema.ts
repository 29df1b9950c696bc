import type { TSchema } from "typebox";

/** A schema as anybody's tool reads it: JSON Schema 2020-12 and nothing of ours. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Keywords that hold schemas under names that are the customer's, not JSON Schema's. */
const schemasByName = new Set(["properties", "patternProperties", "$defs"]);
const schemaLists = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const singleSchemas = new Set(["items", "additionalProperties", "not"]);

/**
 * Leaves out what only the service understands: the keyword `message`, which becomes the description
 * where there is none, and what TypeBox notes on its schemas. Only keywords are judged: a field that
 * happens to be called `message` stays.
 */
export function plainSchema(schema: TSchema): JsonSchema {
  const { message, ...keywords } = schema as TSchema & { readonly message?: unknown };
  const plain: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(keywords)) {
    if (!keyword.startsWith("~")) plain[keyword] = plainValue(keyword, value);
  }
  if (typeof message === "string") plain["description"] ??= sentence(message);
  return plain;
}

/** A message follows a field's name, as in "quantity must be…"; alone it starts with a capital. */
export function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

function plainValue(keyword: string, value: unknown): unknown {
  if (schemasByName.has(keyword)) {
    const named = Object.entries(value as Record<string, TSchema>);
    return Object.fromEntries(named.map(([name, schema]) => [name, plainSchema(schema)]));
  }
  if (schemaLists.has(keyword)) return (value as readonly TSchema[]).map(plainSchema);
  // `additionalProperties: false` is a schema too, but there is nothing in it to leave out.
  if (singleSchemas.has(keyword) && typeof value === "object") return plainSchema(value as TSchema);
  return value;
}
