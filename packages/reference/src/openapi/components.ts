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

export const pathParameterMeaning = "The id of the record.";

export const parameters = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: true,
    description: "One key per intent. Reuse it for every retry of that intent.",
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
    description: "The `csrfToken` of this session. Sign-in and `me` return it.",
    schema: { type: "string" },
    example: samples.csrfToken,
  },
} as const;

const headers = {
  RequestId: header("Identifies the request. Quote it when you contact support."),
  RetryAfter: header("Seconds to wait before the next attempt.", {
    type: "integer",
    minimum: 1,
  }),
  RateLimit: header('Remaining attempts and seconds until the window resets: `"name";r=0;t=840`.'),
  RateLimitPolicy: header('Allowed attempts and window in seconds: `"name";q=5;w=900`.'),
  WwwAuthenticate: header("`Bearer`, when the request has no valid session or API key."),
  SetCookie: header("Sets or clears the session cookie and its CSRF cookie."),
  IdempotentReplayed: header(
    "`true` when this is the stored response to an earlier request with the same key.",
    {
      type: "string",
      const: "true",
    },
  ),
  ContentDisposition: header("The name of the file that a browser saves."),
  Etag: header("The version of the document. Send it back in `If-Match` when you change it."),
} as const;

export const ref = {
  error: { $ref: "#/components/schemas/Error" },
  parameter: (name: keyof typeof parameters) => ({ $ref: `#/components/parameters/${name}` }),
  response: (code: ErrorCode) => ({ $ref: `#/components/responses/${code}` }),
  header: (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` }),
};

/** A session needs both cookies. */
export const security = { session: { session: [], csrfCookie: [] }, key: { apiKey: [] } };

interface Described {
  readonly paths: object;
  readonly responses: object;
  readonly codes: readonly ErrorCode[];
  readonly listener: Listener;
  readonly schemas: NamedSchemas;
}

/** Includes only the components that the paths refer to. */
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
      field: { type: "string", description: "The name of the field, or its path with dots." },
      message: { type: "string", examples: ["must be a whole number from 1 to 20"] },
    },
  };
  const error = {
    type: "object",
    required: ["code", "message", "requestId"],
    properties: {
      code: { type: "string", description: "Stable. Handle errors by this code.", enum: codes },
      message: { type: "string", description: "For people: what is wrong and what to do." },
      requestId: { type: "string", description: "Same as the `x-request-id` header." },
      fields: {
        type: "array",
        maxItems: limits.fieldErrors,
        description: "The invalid fields, if any.",
        items: fieldError,
      },
    },
  };
  const description = "The body of every error response.";
  const examples = [errorSample("validation_failed")];
  return { type: "object", description, required: ["error"], properties: { error }, examples };
}

function securitySchemes({ session, csrf }: CookieNames) {
  return {
    session: {
      type: "apiKey",
      in: "cookie",
      name: session,
      description: "Set by sign-in. Secure, HttpOnly and SameSite=Strict.",
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
        "A read-only API key. Its scope must be one of the `x-scopes` of the operation. Cookies are " +
        "ignored when a key is sent.",
    },
  };
}
