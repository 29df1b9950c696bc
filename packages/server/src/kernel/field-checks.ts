import { limits } from "@ironlease/contract";
import { _, Ajv, Name, type CodeKeywordDefinition, type ErrorObject, type KeywordCxt } from "ajv";
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
const options = {
  allErrors: true,
  verbose: true,
  strict: false,
  validateFormats: false,
  multipleOfPrecision: 6,
} as const;

const thorough = new Ajv(options);
const brief = stoppingEarly(new Ajv(options));

/** Finds every fault, for documents that are corrected as a whole. */
export function compileSchemaCheck(schema: TSchema): SchemaCheck {
  return compile(thorough, schema);
}

/** Finds as many faults as an answer shows, and a few more: a request may hold thousands. */
export function compileRequestCheck(schema: TSchema): SchemaCheck {
  return compile(brief, schema);
}

function compile(ajv: Ajv, schema: TSchema): SchemaCheck {
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? [] : faultsIn(validate.errors ?? []));
}

/** Several errors may be about one field, which is then one fault. */
const maxErrors = 2 * limits.fieldErrors;

/** Ajv's own variable in the code that it generates. */
const errorsSoFar = new Name("errors");

/** Ajv stops at the first error or at none. These two loops are where a value makes errors grow. */
function stoppingEarly(ajv: Ajv): Ajv {
  for (const [keyword, before] of [
    ["additionalProperties", "properties"],
    ["items", "uniqueItems"],
  ] as const) {
    const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition;
    ajv.removeKeyword(keyword);
    ajv.addKeyword({ ...definition, before, code: (cxt) => definition.code(breakingOff(cxt)) });
  }
  return ajv;
}

/** Ends the keyword's loop after whatever may have added an error to those there are. */
function breakingOff(cxt: KeywordCxt): KeywordCxt {
  const [error, subschema] = [cxt.error.bind(cxt), cxt.subschema.bind(cxt)];
  const breakOff = () => cxt.gen.if(_`${errorsSoFar} >= ${maxErrors}`, () => cxt.gen.break());
  cxt.error = (...given) => {
    error(...given);
    breakOff();
  };
  cxt.subschema = (...given) => {
    const inner = subschema(...given);
    breakOff();
    return inner;
  };
  return cxt;
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
