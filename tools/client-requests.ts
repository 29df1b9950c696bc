import type { Operation } from "@ironlease/contract";
import { plainSchema, type JsonSchema } from "../packages/server/src/http/openapi-schema.ts";

export interface RequestField {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** What a caller fills in: the fields of the path, the query and the body, side by side. */
export function requestFields({ path, query, body, method }: Operation): readonly RequestField[] {
  const fields: RequestField[] = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => ({
    name,
    schema: { type: "string" },
    required: true,
  }));
  if (query !== undefined && method !== "GET") throw new Error(`${path}: a change with a query.`);
  for (const part of [query, body]) {
    if (part === undefined) continue;
    const { properties, required } = plainSchema(part) as {
      properties: Record<string, JsonSchema>;
      required?: readonly string[];
    };
    for (const [name, schema] of Object.entries(properties)) {
      if (fields.some((field) => field.name === name)) throw new Error(`${path}: two ${name}.`);
      const written = part === query ? inQuery(schema) : schema;
      fields.push({ name, schema: written, required: required?.includes(name) ?? false });
    }
  }
  return fields;
}

/** A query is text, but who writes a number there means a number. */
function inQuery(schema: JsonSchema): JsonSchema {
  const pattern = schema["pattern"];
  const isNumber = typeof pattern === "string" && matches(pattern, "1") && !matches(pattern, "a");
  return isNumber ? { ...schema, type: "number" } : schema;
}

function matches(pattern: string, text: string): boolean {
  return new RegExp(pattern).test(text);
}

export function objectOf(fields: readonly RequestField[]): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  };
}
