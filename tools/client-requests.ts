import type { Operation } from "@ironlease/contract";
import { plainSchema, type JsonSchema } from "@ironlease/reference";

export interface RequestField {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** The fields of the path, the query and the body, which the client takes as one object. */
export function requestFields({ path, query, body, method }: Operation): readonly RequestField[] {
  const fields: RequestField[] = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => ({
    name,
    schema: { type: "string" },
    required: true,
  }));
  if (query !== undefined && method !== "GET")
    throw new Error(`${path}: a change cannot have a query.`);
  for (const part of [query, body]) {
    if (part === undefined) continue;
    const { properties, required } = plainSchema(part) as {
      properties: Record<string, JsonSchema>;
      required?: readonly string[];
    };
    for (const [name, schema] of Object.entries(properties)) {
      if (fields.some((field) => field.name === name))
        throw new Error(`${path}: two fields named ${name}.`);
      fields.push({ name, schema, required: required?.includes(name) ?? false });
    }
  }
  return fields;
}

export function objectOf(fields: readonly RequestField[]): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  };
}
