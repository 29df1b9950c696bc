import type { JsonSchema } from "@ironlease/reference";

/** Writes JSON schemas as TypeScript. Records that occur in lists get a name and are written once. */
export class TypeWriter {
  readonly #names: Readonly<Record<string, string>>;
  /** Written schema to its name. */
  readonly #named = new Map<string, string>();
  readonly #declarations: string[] = [];
  /** What is being declared, to tell apart list members that would be called the same. */
  #declaring = "";

  /** `names` are for list members whose own name would say too little. */
  constructor(names: Readonly<Record<string, string>>) {
    this.#names = names;
  }

  get declarations(): readonly string[] {
    return this.#declarations;
  }

  /** Declares an interface, or an alias when a record of the same shape has a name already. */
  declare(name: string, schema: JsonSchema): void {
    this.#declaring = name;
    const text = this.type(schema);
    if (text.startsWith("{\n")) this.#declarations.push(`export interface ${name} ${text}\n`);
    else this.alias(name, text);
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
    if (Array.isArray(type)) return type.map((one) => this.#simple(one as string)).join(" | ");
    if (type === "array") return `readonly ${this.#member(schema["items"] as JsonSchema)}[]`;
    if (type === "object") return this.#object(schema);
    return this.#simple(type as string);
  }

  #simple(type: string): string {
    if (type === "integer") return "number";
    if (["string", "number", "boolean", "null"].includes(type)) return type;
    throw new Error(`No TypeScript is known for the schema type ${type}.`);
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
    // The type lists the words already.
    const says = "enum" in property ? undefined : property["description"];
    return `${comment(says, "  ")}  readonly ${name}${end};`;
  }

  /** A list's member is named after the list: `servers` is a list of `Server`. */
  #name(list: string, schema: JsonSchema): void {
    const key = JSON.stringify(schema);
    if (this.#named.has(key)) return;
    const singular = list.replace(/ies$/, "y").replace(/s$/, "");
    const taken = [...this.#named.values()];
    const shortest = this.#names[list] ?? capital(singular);
    const name = taken.includes(shortest) ? `${this.#declaring}${capital(singular)}` : shortest;
    if (taken.includes(name)) {
      throw new Error(`Two different records would be called ${name}: give one another name.`);
    }
    const text = this.#object(schema);
    this.#named.set(key, name);
    this.#declarations.push(`export interface ${name} ${text}\n`);
  }
}

export function capital(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** A doc comment line, or nothing. */
export function comment(text: unknown, indent: string): string {
  return typeof text === "string" ? `${indent}/** ${text.replaceAll("*/", "*\\/")} */\n` : "";
}
