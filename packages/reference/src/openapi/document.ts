import {
  errors,
  errorsOf,
  isChange,
  limits,
  operations,
  type ErrorCode,
  type Operation,
} from "@ironlease/contract";
import type { TObject } from "typebox";
import { componentsFor, pathParameterMeaning, ref, security, type Listener } from "./components.ts";
import { capital, responsesOf, sharedResponses } from "./responses.ts";
import { NamedSchemas, plainSchema } from "./schema.ts";
import { sampleOf, samplePathParameter } from "#samples.ts";
import { tagDescription } from "#tag-descriptions.ts";

type OperationTable = Readonly<Record<string, Operation>>;

/** Codes that also occur outside any operation. */
const beforeAnyOperation: readonly ErrorCode[] = ["not_found", "method_not_allowed"];

/**
 * Describes the operations of one listener as OpenAPI 3.1. The account document must not reveal the
 * operator API. The output is deterministic, including the order of keys.
 */
export function openApiDocument(
  version: string,
  table: OperationTable = operations,
  listener: Listener = "account",
): Record<string, unknown> {
  const described = Object.entries(table).filter(
    ([, operation]) => operation.listener === listener,
  );
  const schemas = new NamedSchemas();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [id, operation] of described) {
    const description = describe(id, operation, schemas);
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = description;
  }
  const tags = new Set(described.map(([, operation]) => operation.tag));
  const answered = new Set([
    ...beforeAnyOperation,
    ...described.flatMap(([, operation]) => errorsOf(operation)),
  ]);
  const codes = (Object.keys(errors) as ErrorCode[]).filter((code) => answered.has(code));
  return {
    openapi: "3.1.0",
    info: {
      title: listener === "account" ? "Ironlease" : "Ironlease operators",
      version,
      description: introductions[listener],
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "The server that returned this document." }],
    tags: [...tags].map((name) => ({ name, description: tagDescription(name) })),
    paths,
    components: componentsFor({
      paths,
      responses: sharedResponses(codes, listener),
      codes,
      listener,
      schemas,
    }),
  };
}

const conventions = [
  "Times are ISO 8601 in UTC with milliseconds. USD amounts are numbers with at most two decimals; " +
    "amounts of cryptocurrency are decimal strings. A request body is one JSON object of at most " +
    `${limits.bodyBytes / 1024} KiB. Unknown fields are rejected.`,
  "Every response has an `x-request-id` header. All errors have the same shape; handle them by `code`.",
];

const introductions: Readonly<Record<Listener, string>> = {
  account: [
    "Rent physical servers and pay in cryptocurrency.",
    ...conventions,
    "Changes need a session and its CSRF token. API keys are read-only.",
    "Operations marked as extensions are additions of this service to the hosting account " +
      "specification that it implements.",
  ].join("\n\n"),
  operator: [
    "Run the service: process the work queue, review withdrawals, and manage machines, the catalogue and accounts.",
    ...conventions,
    "Every operation needs an operator session, and changes also need its CSRF token. Customer sessions " +
      "and API keys do not work here. `x-role` is the lowest role that may call an operation.",
  ].join("\n\n"),
};

function describe(id: string, operation: Operation, schemas: NamedSchemas) {
  const description = descriptionOf(operation);
  const parameters = parametersOf(operation);
  return {
    operationId: id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(description === "" ? {} : { description }),
    ...(isMarked(operation) ? { "x-extension": true } : {}),
    ...accessOf(operation),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.body === undefined
      ? {}
      : { requestBody: requestBody(id, operation.body, schemas) }),
    responses: responsesOf(id, operation, schemas),
  };
}

/** Every operator operation is an extension, so only account operations are marked. */
function isMarked({ extension, listener }: Operation): boolean {
  return extension && listener === "account";
}

function descriptionOf(operation: Operation): string {
  const { description, idempotency } = operation;
  const parts = [
    description,
    idempotencyNote[idempotency],
    isMarked(operation)
      ? "**Extension**: an addition of this service to the specification that it implements."
      : undefined,
  ];
  return parts.filter((part) => part !== undefined).join("\n\n");
}

const idempotencyNote = {
  replay: "A retry with the same key and the same request returns the first response.",
  conflict: "A used key is always rejected, even with the same request.",
  none: undefined,
} as const;

function accessOf({ access }: Operation) {
  if (access.kind === "public") return { security: [] };
  if (access.kind === "operator") return { security: [security.session], "x-role": access.role };
  if (access.scopes.length === 0) return { security: [security.session] };
  return { security: [security.session, security.key], "x-scopes": access.scopes };
}

function parametersOf(operation: Operation): readonly object[] {
  const inPath = [...operation.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: pathParameterMeaning,
    schema: { type: "string" },
    example: samplePathParameter(operation.path, name),
  }));
  const isSessionChange = isChange(operation) && operation.access.kind !== "public";
  return [
    ...inPath,
    ...(operation.query === undefined ? [] : queryParameters(operation.query)),
    ...(operation.idempotency === "none" ? [] : [ref.parameter("IdempotencyKey")]),
    ...(operation.versioned === true && isChange(operation) ? [ifMatch] : []),
    ...(isSessionChange ? [ref.parameter("CsrfToken")] : []),
  ];
}

const ifMatch = {
  name: "If-Match",
  in: "header",
  required: false,
  description: "The `etag` of the version you edited. Prevents overwriting a concurrent change.",
  schema: { type: "string" },
  example: '"12"',
};

function queryParameters(query: TObject): readonly object[] {
  return Object.entries(query.properties).map(([name, property]) => {
    const { description, ...schema } = plainSchema(property);
    return {
      name,
      in: "query",
      required: query.required?.includes(name) ?? false,
      ...(description === undefined ? {} : { description }),
      schema,
      example: sampleOf(schema, name),
    };
  });
}

function requestBody(id: string, body: TObject, schemas: NamedSchemas) {
  const schema = schemas.reference(body, `${capital(id)}Request`);
  return { required: true, content: { "application/json": { schema, example: sampleOf(body) } } };
}
