import type { FieldError } from "@ironlease/contract";
import { Ajv, type ErrorObject } from "ajv";
import type { TObject } from "typebox";

/** Says which fields of a value are at fault; an empty list is a good value. */
export type FieldCheck = (value: unknown) => readonly FieldError[];

/**
 * No coercion, no defaults, nothing removed: `"1"` is no quantity and a field that we do not know is
 * an error. `message` is what a schema says of itself to people.
 */
const ajv = new Ajv({ allErrors: true, verbose: true, strict: false, validateFormats: false });

export function compileFieldCheck(schema: TObject): FieldCheck {
  const validate = ajv.compile<unknown>(schema);
  return (value) => (validate(value) ? [] : fieldErrors(validate.errors ?? []));
}

function fieldErrors(errors: readonly ErrorObject[]): readonly FieldError[] {
  const byField = new Map<string, FieldError>();
  for (const error of errors) {
    const field = fieldOf(error);
    if (!byField.has(field)) byField.set(field, { field, message: messageOf(error) });
  }
  return [...byField.values()];
}

function fieldOf({ instancePath, params }: ErrorObject): string {
  const own = params["additionalProperty"] ?? params["missingProperty"];
  const path = instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (typeof own === "string") path.push(own);
  return path.join(".").slice(0, 200) || "body";
}

function messageOf({ keyword, parentSchema, message = "is not valid" }: ErrorObject): string {
  if (keyword === "additionalProperties") return "is not a known field";
  if (keyword === "required") return "is required";
  const own: unknown = parentSchema?.["message"];
  return typeof own === "string" ? own : message;
}
