import type { JsonSchema } from "@ironlease/reference";

/** Converts JSON schemas to TypeScript. Each kind of list member gets a name and is declared once. */
export class TypeWriter {
  readonly #names: Readonly<Record<string, string>>;
  /** Names by serialised schema. */
  readonly #named = new Map<string, string>();
  readonly #declarations: string[] = [];
  /** The current declaration, a prefix for list members that would have the same name. */
  #declaring = "";

  /** `names` overrides the names of list members, by the name of the list. */
  constructor(names: Readonly<Record<string, string>>) {
    this.#names = names;
  }

  get declarations(): readonly string[] {
    return this.#declarations;
  }

  /** Declares an interface, or an alias if the schema already has a name. */
  declare(name: string, schema: JsonSchema): void {
    this.#declaring = name;
    const text = this.type(schema);
    if (!text.startsWith("{\n")) return this.alias(name, text);
    this.#declarations.push(`export interface ${name} ${text}\n`);
    // A schema with a title is a record, which several operations answer with.
    if (schema["title"] !== undefined) this.#named.set(JSON.stringify(schema), name);
  }

  alias(name: string, type: string): void {
    this.#declarations.push(`export type ${name} = ${type};\n`);
  }

  type(schema: JsonSchema): string {
    const { type, enum: words, const: only, anyOf } = schema;
    if (only !== undefined) return JSON.stringify(only);
    if (Array.isArray(words)) return words.map((word) => JSON.stringify(word)).join(" | ");
    if (Array.isArray(anyOf)) {
      return anyOf.map((one) => this.type(one as JsonSchema)).join(" | ");
    }
    if (Array.isArray(type))
      return type.map((one) => this.type({ ...schema, type: one })).join(" | ");
    if (type === "array") return `readonly ${this.#member(schema["items"] as JsonSchema)}[]`;
    if (type === "object") return this.#object(schema);
    return this.#simple(type as string);
  }

  #simple(type: string): string {
    if (type === "integer") return "number";
    if (["string", "number", "boolean", "null"].includes(type)) return type;
    throw new Error(`Unsupported schema type ${type}.`);
  }

  #member(schema: JsonSchema): string {
    const text = this.type(schema);
    return text.includes(" ") ? `(${text})` : text;
  }

  #object(schema: JsonSchema): string {
    const known = this.#named.get(JSON.stringify(schema));
    if (known !== undefined) return known;
    const properties = (schema["properties"] ?? {}) as Record<string, JsonSchema>;
    if (Object.keys(properties).length === 0) return "Readonly<Record<string, unknown>>";
    const required = (schema["required"] ?? []) as readonly string[];
    const lines = Object.entries(properties).map(([name, property]) =>
      this.field(name, property, required.includes(name)),
    );
    return `{\n${lines.join("\n")}\n}`;
  }

  field(name: string, property: JsonSchema, isRequired: boolean): string {
    const items = property["items"] as JsonSchema | undefined;
    if (items?.["type"] === "object") this.#name(name, items);
    const type = this.type(property).replaceAll("\n", "\n  ");
    const end = isRequired ? `: ${type}` : `?: ${type} | undefined`;
    // The type already lists the values of an enum.
    const description = "enum" in property ? undefined : property["description"];
    return `${comment(description, "  ")}  readonly ${name}${end};`;
  }

  /** Names a list member after its list: the members of `servers` are `Server`. */
  #name(list: string, schema: JsonSchema): void {
    const key = JSON.stringify(schema);
    if (this.#named.has(key)) return;
    const singular = list.replace(/ies$/, "y").replace(/s$/, "");
    const taken = [...this.#named.values()];
    const shortest = this.#names[list] ?? capital(singular);
    const name = taken.includes(shortest) ? `${this.#declaring}${capital(singular)}` : shortest;
    if (taken.includes(name)) {
      throw new Error(`Two different schemas would be named ${name}. Add one to recordNames.`);
    }
    const text = this.#object(schema);
    this.#named.set(key, name);
    this.#declarations.push(`export interface ${name} ${text}\n`);
  }
}

export function capital(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** A doc comment, or an empty string without text. */
export function comment(text: unknown, indent: string): string {
  return typeof text === "string" ? `${indent}/** ${text.replaceAll("*/", "*\\/")} */\n` : "";
}
