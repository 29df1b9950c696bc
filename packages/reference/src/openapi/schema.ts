import type { TSchema } from "typebox";

/** A schema as anybody's tool reads it: JSON Schema 2020-12 and nothing of ours. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Keywords that hold schemas under names that are the customer's, not JSON Schema's. */
const schemasByName = new Set(["properties", "patternProperties", "$defs"]);
const schemaLists = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const singleSchemas = new Set(["items", "additionalProperties", "not"]);

/** Called with each schema after its inner ones; what it returns takes the schema's place. */
type Replace = (plain: JsonSchema) => JsonSchema;

/**
 * Leaves out what only the service understands: the keyword `message`, which becomes the description
 * where there is none, and what TypeBox notes on its schemas. Only keywords are judged: a field that
 * happens to be called `message` stays.
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

/** The schema that readers are shown: where the wire carries text for a number, the number's. */
export function describedSchema<Schema extends object>(schema: Schema): Schema {
  const { describedAs, message, description } = schema as JsonSchema;
  if (typeof describedAs !== "object") return schema;
  const says = description === undefined ? { message } : { message, description };
  return { ...describedAs, ...says } as Schema;
}

/** A message follows a field's name, as in "quantity must be…"; alone it starts with a capital. */
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
  // `additionalProperties: false` is a schema too, but there is nothing in it to leave out.
  if (singleSchemas.has(keyword) && typeof value === "object") {
    return plainSchema(value as TSchema, replace);
  }
  return value;
}

/** The component schemas of one document: each schema that has a `title`, under that name, once. */
export class NamedSchemas {
  readonly #schemas = new Map<string, JsonSchema>();

  /** A reference to the schema, which gets the name `fallback` unless it has a title of its own. */
  reference(schema: TSchema, fallback: string): JsonSchema {
    const named = plainSchema(schema, (plain) => this.#hoist(plain));
    return "$ref" in named || !hasFields(named) ? named : this.#add(fallback, named);
  }

  /** By name, so that the order of the operations makes no difference. */
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

/** A free-form object has no fields that a name could stand for. */
function hasFields({ properties, anyOf }: JsonSchema): boolean {
  return anyOf !== undefined || Object.keys(properties ?? {}).length > 0;
}
