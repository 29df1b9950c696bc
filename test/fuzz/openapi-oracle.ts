import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { WireAnswer } from "./http-answers.ts";

/** The parts of an OpenAPI document that answers are checked against. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: Responses }>>>>;
  readonly components: { readonly responses: Responses };
}
type Responses = Readonly<Record<string, Described>>;
interface Described {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: object;
}

/** The documented form of one answer. */
export interface Documented {
  readonly headers: ReadonlySet<string>;
  /** Undefined when the answer has no body. */
  readonly validate: ValidateFunction | undefined;
  /** The answer may also be CSV. */
  readonly mayBeCsv: boolean;
}

/** A documented path with its methods. */
export interface DocumentedPath {
  readonly template: string;
  readonly methods: ReadonlySet<string>;
}

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const pathPart = (text: string) => text.replaceAll("~", "~0").replaceAll("/", "~1");

/** Looks up what the OpenAPI document says about an answer. */
export class OpenApiOracle {
  readonly #document: OpenApi;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #patterns: readonly { readonly expression: RegExp; readonly template: string }[];
  readonly #documented = new Map<string, Documented | undefined>();

  constructor(document: OpenApi) {
    this.#document = closed(document) as OpenApi;
    this.#ajv.addFormat("date-time", isoTime);
    this.#ajv.addFormat("password", true);
    this.#ajv.addSchema(this.#document, "api");
    this.#patterns = Object.keys(document.paths)
      .filter((path) => path.includes("{"))
      .map((template) => ({
        expression: new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`),
        template,
      }));
  }

  documentedPath(path: string): DocumentedPath | undefined {
    const found = this.#patterns.find(({ expression }) => expression.test(path));
    const template = Object.hasOwn(this.#document.paths, path) ? path : found?.template;
    if (template === undefined) return undefined;
    const methods = Object.keys(this.#document.paths[template] ?? {});
    return { template, methods: new Set(methods.map((method) => method.toUpperCase())) };
  }

  /** Returns undefined when the status is not documented. */
  documented(template: string, method: string, status: number): Documented | undefined {
    const key = `${method} ${template} ${status}`;
    if (!this.#documented.has(key)) {
      this.#documented.set(key, this.#read(template, method.toLowerCase(), String(status)));
    }
    return this.#documented.get(key);
  }

  /** The schema of errors, for requests that match no operation. */
  get error(): ValidateFunction {
    return this.#compile("#/components/schemas/Error");
  }

  #read(template: string, method: string, status: string): Documented | undefined {
    const response = this.#document.paths[template]?.[method]?.responses[status];
    if (response === undefined) return undefined;
    const name = response.$ref?.replace("#/components/responses/", "");
    const described = name === undefined ? response : this.#document.components.responses[name];
    if (described === undefined) return undefined;
    const at =
      name === undefined
        ? `#/paths/${pathPart(template)}/${method}/responses/${status}`
        : `#/components/responses/${name}`;
    return {
      headers: new Set(Object.keys(described.headers ?? {})),
      mayBeCsv: "text/csv" in (described.content ?? {}),
      validate:
        described.content === undefined
          ? undefined
          : this.#compile(`${at}/content/application~1json/schema`),
    };
  }

  #compile(pointer: string): ValidateFunction {
    const reference = `api${encodeURI(pointer).replaceAll("{", "%7B").replaceAll("}", "%7D")}`;
    return this.#ajv.getSchema(reference) ?? this.#ajv.compile({ $ref: reference });
  }
}

/**
 * Adds `additionalProperties: false` to every object with named fields. The document allows for future fields,
 * but an undocumented field today is a fault.
 */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closed(item)]));
  const { type, properties, additionalProperties } = inner;
  const isNamed = typeof properties === "object" && Object.keys(properties ?? {}).length > 0;
  return type === "object" && isNamed && additionalProperties === undefined
    ? { ...inner, additionalProperties: false }
    : inner;
}

export function jsonOf({ body }: WireAnswer): unknown {
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
}
