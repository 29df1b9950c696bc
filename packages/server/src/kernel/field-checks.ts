import { Ajv, type ErrorObject } from "ajv";
import type { TSchema } from "typebox";

/** What is wrong with one part of a value, in a phrase that fits after the part's name. */
export interface Fault {
  /** The keys and indexes that lead to the part; none for the value as a whole. */
  readonly path: readonly string[];
  readonly message: string;
}

/** Says which parts of a value are at fault; an empty list is a good value. */
export type SchemaCheck = (value: unknown) => readonly Fault[];

/**
 * No coercion, no defaults, nothing removed: `"1"` is no quantity and a field that we do not know is
 * an error. `message` is what a schema says of itself to people. Without the precision, a multiple of
 * 0.01 would be judged by a division of doubles, which takes 0.07 for none.
 */
const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  strict: false,
  validateFormats: false,
  multipleOfPrecision: 6,
});

export function compileSchemaCheck(schema: TSchema): SchemaCheck {
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? [] : faultsIn(validate.errors ?? []));
}

/** One fault for each part: the first says enough. */
function faultsIn(errors: readonly ErrorObject[]): readonly Fault[] {
  const byPath = new Map<string, Fault>();
  for (const error of errors) {
    const path = pathOf(error);
    const key = path.join("\0");
    if (!byPath.has(key)) byPath.set(key, { path, message: messageOf(error) });
  }
  return [...byPath.values()];
}

function pathOf({ instancePath, params }: ErrorObject): readonly string[] {
  const own: unknown = params["additionalProperty"] ?? params["missingProperty"];
  const path = instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return typeof own === "string" ? [...path, own] : path;
}

function messageOf({ keyword, parentSchema, message = "is not valid" }: ErrorObject): string {
  if (keyword === "additionalProperties") return "is not a known field";
  if (keyword === "required") return "is required";
  const own: unknown = parentSchema?.["message"];
  return typeof own === "string" ? own : message;
}
