import type { TSchema } from "typebox";

/** A schema in standard JSON Schema 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Keywords that map field names to schemas. */
const schemasByName = new Set(["properties", "patternProperties", "$defs"]);
const schemaLists = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const singleSchemas = new Set(["items", "additionalProperties", "not"]);

/** Replaces each schema, inner schemas first. */
type Replace = (plain: JsonSchema) => JsonSchema;

/**
 * Removes our keyword `message`, which becomes the description if there is none, and the internal
 * keywords of TypeBox. A field that is called `message` is not a keyword and stays.
 */
export function plainSchema(schema: TSchema, replace: Replace = (plain) => plain): JsonSchema {
  const { message, ...keywords } = describedSchema(schema) as TSchema & {
    readonly message?: unknown;
  };
  const plain: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(keywords)) {
    if (!keyword.startsWith("~")) plain[keyword] = plainValue(keyword, value, replace);
  }
  if (typeof message === "string") plain["description"] ??= sentence(message);
  return replace(plain);
}

/** The schema to document: a number in a query is a string on the wire, but documented as a number. */
export function describedSchema<Schema extends object>(schema: Schema): Schema {
  const { describedAs, message, description } = schema as JsonSchema;
  if (typeof describedAs !== "object") return schema;
  const says = description === undefined ? { message } : { message, description };
  return { ...describedAs, ...says } as Schema;
}

/** Makes a sentence of a field message, which otherwise follows the field name: "quantity must be…". */
export function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

function plainValue(keyword: string, value: unknown, replace: Replace): unknown {
  if (schemasByName.has(keyword)) {
    const named = Object.entries(value as Record<string, TSchema>);
    return Object.fromEntries(named.map(([name, schema]) => [name, plainSchema(schema, replace)]));
  }
  if (schemaLists.has(keyword)) {
    return (value as readonly TSchema[]).map((schema) => plainSchema(schema, replace));
  }
  // `additionalProperties` may also be a boolean.
  if (singleSchemas.has(keyword) && typeof value === "object") {
    return plainSchema(value as TSchema, replace);
  }
  return value;
}

/** The component schemas of one document. A schema with a `title` becomes a component of that name. */
export class NamedSchemas {
  readonly #schemas = new Map<string, JsonSchema>();

  /** Returns a reference to the schema, named after its title or `fallback`. */
  reference(schema: TSchema, fallback: string): JsonSchema {
    const named = plainSchema(schema, (plain) => this.#hoist(plain));
    return "$ref" in named || !hasFields(named) ? named : this.#add(fallback, named);
  }

  /** Sorted by name, so that the order of operations does not matter. */
  get all(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#schemas].toSorted(([one], [two]) => (one < two ? -1 : 1)));
  }

  #hoist(plain: JsonSchema): JsonSchema {
    const { title, ...schema } = plain;
    return typeof title === "string" ? this.#add(title, schema) : plain;
  }

  #add(name: string, schema: JsonSchema): JsonSchema {
    const known = this.#schemas.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two different schemas are called ${name}: give one another title.`);
    }
    this.#schemas.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }
}

function hasFields({ properties, anyOf }: JsonSchema): boolean {
  return anyOf !== undefined || Object.keys(properties ?? {}).length > 0;
}
