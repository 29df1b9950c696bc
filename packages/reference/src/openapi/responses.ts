import { errors, errorsOf, type ErrorCode, type Operation } from "@ironlease/contract";
import type { TSchema } from "typebox";
import { ref, type Listener } from "./components.ts";
import type { JsonSchema, NamedSchemas } from "./schema.ts";
import { sampleOf } from "#samples.ts";

type Responses = Record<string, Record<string, unknown>>;

/** The successful responses of an operation, and one response for each error status. */
export function responsesOf(id: string, operation: Operation, schemas: NamedSchemas): Responses {
  const responses: Responses = {};
  const answers = Object.entries(operation.answers);
  for (const [status, schema] of answers) {
    // The same name as the type in the generated client.
    const name = `${capital(id)}Answer${answers.length === 1 ? "" : status}`;
    const content =
      schema === null
        ? undefined
        : {
            ...answerContent(schema, name, schemas),
            ...(operation.streamed?.includes("csv") === true && csv),
          };
    responses[status] = answer(operation, status, content);
  }
  for (const [status, codes] of codesByStatus(operation)) {
    const [only] = codes;
    responses[status] =
      only !== undefined && codes.length === 1
        ? ref.response(only)
        : errorAnswer(codes, operation.listener);
  }
  return responses;
}

/** Most statuses have one code only, so their responses are shared components. */
export function sharedResponses(codes: readonly ErrorCode[], listener: Listener): Responses {
  return Object.fromEntries(codes.map((code) => [code, errorAnswer([code], listener)]));
}

function codesByStatus(operation: Operation): ReadonlyMap<number, readonly ErrorCode[]> {
  return Map.groupBy(errorsOf(operation), (code) => errors[code].status);
}

function answerContent(schema: TSchema, name: string, schemas: NamedSchemas): object {
  return json(schemas.reference(schema, name), { example: sampleOf(schema) });
}

const csv = { "text/csv": { schema: { type: "string" } } };

function answer(operation: Operation, status: string, content: object | undefined) {
  const { idempotency, cookies, versioned, attachment } = operation;
  return {
    description: answerMeaning[status] ?? "Success.",
    headers: {
      "x-request-id": ref.header("RequestId"),
      ...(cookies === undefined ? {} : { "set-cookie": ref.header("SetCookie") }),
      ...(idempotency === "replay"
        ? { "idempotent-replayed": ref.header("IdempotentReplayed") }
        : {}),
      ...(attachment === true ? { "content-disposition": ref.header("ContentDisposition") } : {}),
      ...(versioned === true ? { etag: ref.header("Etag") } : {}),
    },
    ...(content === undefined ? {} : { content }),
  };
}

const answerMeaning: Readonly<Record<string, string>> = {
  200: "Success.",
  201: "Created.",
  202: "Queued for an operator.",
  204: "Success. No body.",
};

function errorAnswer(codes: readonly ErrorCode[], listener: Listener) {
  return {
    description: codes.map((code) => `\`${code}\`: ${errors[code].message}`).join("\n\n"),
    headers: { "x-request-id": ref.header("RequestId"), ...headersOf(codes, listener) },
    content: json({
      allOf: [ref.error, { properties: { error: { properties: { code: { enum: codes } } } } }],
    }),
  };
}

/** The headers of error responses with these codes. */
function headersOf(codes: readonly ErrorCode[], listener: Listener) {
  return {
    ...(codes.includes("rate_limited")
      ? {
          "retry-after": ref.header("RetryAfter"),
          ratelimit: ref.header("RateLimit"),
          "ratelimit-policy": ref.header("RateLimitPolicy"),
        }
      : {}),
    ...(codes.includes("service_unavailable") ? { "retry-after": ref.header("RetryAfter") } : {}),
    // The operator API has no API keys, and so no challenge.
    ...(codes.includes("authentication_required") && listener === "account"
      ? { "www-authenticate": ref.header("WwwAuthenticate") }
      : {}),
  };
}

function json(schema: JsonSchema, shown: object = {}) {
  return { "application/json": { schema, ...shown } };
}

export function capital(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
