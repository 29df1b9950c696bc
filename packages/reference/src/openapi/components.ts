import {
  cookieNames,
  limits,
  type CookieNames,
  type ErrorCode,
  type Operation,
} from "@ironlease/contract";
import type { JsonSchema, NamedSchemas } from "./schema.ts";
import { errorSample, samples } from "#samples.ts";

export type Listener = Operation["listener"];

export const pathParameterMeaning = "An id from an earlier answer.";

export const parameters = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: true,
    description: "One for each intent. Keep it, and send it again with every retry of that intent.",
    schema: {
      type: "string",
      minLength: limits.idempotencyKey.min,
      maxLength: limits.idempotencyKey.max,
      pattern: "^[A-Za-z0-9_-]+$",
    },
    example: "a7c1e0f2-order-web1",
  },
  CsrfToken: {
    name: "x-csrf-token",
    in: "header",
    required: true,
    description: "The `csrfToken` of this session: sign-in and `me` answer with it.",
    schema: { type: "string" },
    example: samples.csrfToken,
  },
} as const;

const headers = {
  RequestId: header("Names this exchange. Send it along when you report a problem."),
  RetryAfter: header("Whole seconds to wait before the next attempt.", {
    type: "integer",
    minimum: 1,
  }),
  RateLimit: header('What is left and in how many seconds there is more: `"name";r=0;t=840`.'),
  RateLimitPolicy: header('How many in how many seconds: `"name";q=5;w=900`.'),
  WwwAuthenticate: header("`Bearer`, where no valid session or API key was sent."),
  SetCookie: header("The session cookie and its CSRF cookie: always both, set or cleared."),
  IdempotentReplayed: header("Only when the first answer to this key is given again: `true`.", {
    type: "string",
    const: "true",
  }),
  Etag: header("The version of the document, for the `If-Match` of a change that is made from it."),
} as const;

export const ref = {
  error: { $ref: "#/components/schemas/Error" },
  parameter: (name: keyof typeof parameters) => ({ $ref: `#/components/parameters/${name}` }),
  response: (code: ErrorCode) => ({ $ref: `#/components/responses/${code}` }),
  header: (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` }),
};

/** Either way in. A session is two cookies that belong together; neither is one without the other. */
export const security = { session: { session: [], csrfCookie: [] }, key: { apiKey: [] } };

interface Described {
  readonly paths: object;
  readonly responses: object;
  readonly codes: readonly ErrorCode[];
  readonly listener: Listener;
  readonly schemas: NamedSchemas;
}

/** Only what the paths refer to: an unused part makes a reader look for its use, in vain. */
export function componentsFor({ paths, responses, codes, listener, schemas }: Described) {
  const inPaths = JSON.stringify(paths);
  const usedResponses = referredTo(inPaths, "responses", responses);
  const text = inPaths + JSON.stringify(usedResponses);
  const schemes = Object.entries(securitySchemes(cookieNames[listener]));
  return {
    schemas: { ...schemas.all, Error: errorSchema(codes) },
    responses: usedResponses,
    parameters: referredTo(text, "parameters", parameters),
    headers: referredTo(text, "headers", headers),
    securitySchemes: Object.fromEntries(schemes.filter(([name]) => text.includes(`"${name}":[]`))),
  };
}

function referredTo(text: string, kind: string, parts: object): Record<string, unknown> {
  const isUsed = (name: string) => text.includes(`"#/components/${kind}/${name}"`);
  return Object.fromEntries(Object.entries(parts).filter(([name]) => isUsed(name)));
}

function header(description: string, schema: JsonSchema = { type: "string" }) {
  return { description, schema };
}

function errorSchema(codes: readonly ErrorCode[]): JsonSchema {
  const fieldError = {
    type: "object",
    required: ["field", "message"],
    properties: {
      field: { type: "string", description: "Its name, or its path with dots." },
      message: { type: "string", examples: ["must be a whole number from 1 to 20"] },
    },
  };
  const error = {
    type: "object",
    required: ["code", "message", "requestId"],
    properties: {
      code: { type: "string", description: "Decide by this; it does not change.", enum: codes },
      message: { type: "string", description: "One sentence that a person can act on." },
      requestId: { type: "string", description: "The same as in the `x-request-id` header." },
      fields: {
        type: "array",
        maxItems: limits.fieldErrors,
        description: "Only where fields are at fault.",
        items: fieldError,
      },
    },
  };
  const description = "The one shape of every error answer.";
  const examples = [errorSample("validation_failed")];
  return { type: "object", description, required: ["error"], properties: { error }, examples };
}

function securitySchemes({ session, csrf }: CookieNames) {
  return {
    session: {
      type: "apiKey",
      in: "cookie",
      name: session,
      description: "Set by the sign-in. Secure, HttpOnly and SameSite=Strict.",
    },
    csrfCookie: {
      type: "apiKey",
      in: "cookie",
      name: csrf,
      description: "Set by the same sign-in; a session does not count without its own.",
    },
    apiKey: {
      type: "http",
      scheme: "bearer",
      description:
        "An API key, for reading only. `x-scopes` of an operation names the scopes of which a key " +
        "needs one. When it is sent, cookies do not count.",
    },
  };
}
