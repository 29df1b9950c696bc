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

/** Answered also where a request leads to no operation, so no operation describes them all. */
const beforeAnyOperation: readonly ErrorCode[] = ["not_found", "method_not_allowed"];

/**
 * The table as OpenAPI 3.1, for one listener: customers are told nothing of the operators' side.
 * The same table always gives the same document, down to the order of its keys.
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
    servers: [{ url: "/", description: "The address that this document came from." }],
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
  "Times are ISO 8601 in UTC with milliseconds. USD are numbers with at most two decimals; " +
    "amounts of cryptocurrency are decimal strings. A body is one JSON object of at most " +
    `${limits.bodyBytes / 1024} KiB, and a field that is not described is an error.`,
  "Every answer carries `x-request-id`, and every error has the same shape: decide by its `code`.",
];

const introductions: Readonly<Record<Listener, string>> = {
  account: [
    "Rent physical servers, paid in cryptocurrency.",
    ...conventions,
    "Changes are made in a session, with its CSRF token. API keys only read.",
    "What is marked as an extension is an addition of this service to the hosting account " +
      "interface that it implements.",
  ].join("\n\n"),
  operator: [
    "Run the service: work the queue, review withdrawals, keep machines, catalogue and accounts.",
    ...conventions,
    "Everything is done in an operator's session, changes with its CSRF token. Customers' sessions " +
      "and API keys are nothing here. `x-role` is the least role that an operation takes.",
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

/** On the operators' side everything is ours, and marking it would say nothing. */
function isMarked({ extension, listener }: Operation): boolean {
  return extension && listener === "account";
}

function descriptionOf(operation: Operation): string {
  const { description, idempotency } = operation;
  const parts = [
    description,
    idempotencyNote[idempotency],
    isMarked(operation)
      ? "**Extension**: an addition of this service, not part of the specification that it implements."
      : undefined,
  ];
  return parts.filter((part) => part !== undefined).join("\n\n");
}

const idempotencyNote = {
  replay: "The same key with the same request is answered with the first answer again.",
  conflict: "A key that has been used is refused, also with the same request.",
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
  description: "The `etag` of what the change was made from, so that nobody is overwritten unseen.",
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
