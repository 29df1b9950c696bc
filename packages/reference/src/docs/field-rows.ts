import type { TSchema } from "typebox";
import { describedSchema, sentence } from "#openapi/schema.ts";
import type { SampledSchema } from "#samples.ts";
import { code, joined, markup, prose, type Content } from "./markup.ts";

/** The documented keywords of a schema. */
export interface FieldSchema extends SampledSchema {
  readonly description?: string;
  readonly message?: string;
  readonly enum?: readonly (string | number)[];
  readonly const?: string | number | boolean;
  readonly examples?: readonly (string | number | boolean)[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly items?: FieldSchema;
  readonly anyOf?: readonly FieldSchema[];
}

export interface FieldRow {
  /** The path to the field without its name: `sessions[].` for `sessions[].id`. */
  readonly parent: string;
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly rules: Content;
}

/** One row per field. The fields of an inner object follow the object. */
export function fieldRows(schema: TSchema, parent = ""): readonly FieldRow[] {
  const { properties = {}, required = [] } = schema as FieldSchema;
  return Object.entries(properties).flatMap(([name, given]) => {
    const field = describedSchema(given);
    const isRequired = required.includes(name);
    return [
      { parent, name, type: typeOf(field), required: isRequired, rules: rulesOf(field) },
      ...fieldRows(
        field.items ?? field.anyOf?.find(({ properties }) => properties !== undefined) ?? field,
        `${parent}${name}${field.items === undefined ? "." : "[]."}`,
      ),
    ];
  });
}

function typeOf({ type, format, items, anyOf }: FieldSchema): string {
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(" or ");
  if (items !== undefined) return `array of ${typeOf(items)}s`;
  const names = typeof type === "string" ? [type] : (type ?? ["any"]);
  return names
    .map((name) => (name === "string" && format === "date-time" ? "time" : name))
    .join(" or ");
}

export function rulesOf(field: FieldSchema): Content {
  const { description, format } = field;
  // The type already says "time", and all times have the same format.
  const [example] = format === "date-time" ? [] : (field.examples ?? []);
  const parts = [
    description === undefined ? undefined : prose(description),
    constraintOf(field),
    example === undefined ? undefined : markup`Example: ${code(String(example))}.`,
  ];
  return joined(
    parts.filter((part) => part !== undefined),
    " ",
  );
}

/** The field's own message, or else its bounds. */
function constraintOf(field: FieldSchema): Content {
  const { minLength, maxLength, minimum, maximum, message } = field;
  if (field.const !== undefined) return markup`Always ${code(String(field.const))}.`;
  if (field.enum !== undefined) {
    return markup`One of ${joined(
      field.enum.map((word) => code(String(word))),
      ", ",
    )}.`;
  }
  if (message !== undefined) return prose(sentence(message));
  const length = range(minLength, maxLength);
  if (length !== undefined) return `${length} characters.`;
  return range(minimum, maximum)?.concat(".");
}

function range(least: number | undefined, most: number | undefined): string | undefined {
  if (least !== undefined && most !== undefined) return `${least} to ${most}`;
  if (most !== undefined) return `At most ${most}`;
  return least === undefined ? undefined : `At least ${least}`;
}
