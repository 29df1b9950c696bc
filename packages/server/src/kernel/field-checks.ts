import { limits } from "@ironlease/contract";
import {
  _,
  Ajv,
  Name,
  type CodeKeywordDefinition,
  type ErrorObject,
  type KeywordCxt,
  type ValidateFunction,
} from "ajv";
import type { TSchema } from "typebox";

/** A fault in one part of a value, as a phrase that follows the part's name. */
export interface Fault {
  /** The keys and indexes that lead to the part. Empty for the whole value. */
  readonly path: readonly string[];
  readonly message: string;
}

/** Lists the faulty parts of a value. Empty when the value is valid. */
export type SchemaCheck = (value: unknown) => readonly Fault[];

/**
 * No coercion, defaults or removal: `"1"` is not a quantity, and an unknown field is an error. A schema's `message`
 * is shown to people. Without `multipleOfPrecision`, Ajv divides doubles and rejects 0.07 as a multiple of 0.01.
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

/** Stops soon after as many faults as a response shows, because a request may contain thousands. */
export function compileRequestCheck(schema: TSchema): SchemaCheck {
  return compile(brief, schema);
}

/** On first use: a service has hundreds of schemas, and needs few of them soon after its start. */
function compile(ajv: Ajv, schema: TSchema): SchemaCheck {
  let compiled: ValidateFunction | undefined;
  return (value) => {
    compiled ??= ajv.compile(schema);
    return compiled(value) ? [] : faultsIn(compiled.errors ?? []);
  };
}

/** Several errors may concern one field, which counts as one fault. */
const maxErrors = 2 * limits.fieldErrors;

/** Ajv's own variable in the code it generates. */
const errorsSoFar = new Name("errors");

/** Ajv stops at the first error or never. Only in these two loops does the number of errors grow with the value. */
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

/** Leaves the keyword's loop once enough errors are recorded. */
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

/** Only the first fault of each part is reported. */
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
