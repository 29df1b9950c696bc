import type { Static, TObject, TSchema } from "typebox";
import type { ErrorCode } from "./errors.ts";

export const scopes = ["read", "servers", "billing"] as const;
export type Scope = (typeof scopes)[number];

export const roles = ["support", "finance", "admin"] as const;
export type Role = (typeof roles)[number];

/** Who may call an operation. `scopes` lists the API key scopes that may; it is empty for changes. */
export type Access =
  | { readonly kind: "public" }
  | { readonly kind: "session"; readonly scopes: readonly Scope[] }
  | { readonly kind: "operator"; readonly role: Role };

/** What a used key gets: `replay` the first response, `conflict` a 409. With `none` there is no key. */
export type Idempotency = "replay" | "conflict" | "none";

/** One endpoint as data: the only source for routes, the reference and the clients. */
export interface Operation {
  readonly listener: "account" | "operator";
  readonly tag: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With parameters in braces: `/api/v1/sessions/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** True for additions to the specification. */
  readonly extension: boolean;
  readonly access: Access;
  readonly idempotency: Idempotency;
  readonly query?: TObject;
  readonly body?: TObject;
  /** Response schema by status; null for an empty body. */
  readonly answers: Readonly<Record<number, TSchema | null>>;
  /** Allowed while the account is frozen: signing out, revoking access and writing to the operators. */
  readonly frozen?: "allowed";
  /** Allowed before the operator has set up a required second factor. */
  readonly secondFactor?: "not_needed";
  /** Overrides the default limit of the body size. */
  readonly bodyBytes?: number;
  /** The response has an `etag`, which a change may send back in `if-match`. */
  readonly versioned?: true;
  /** The response is streamed, in the format that the request prefers. */
  readonly streamed?: readonly ("json" | "csv")[];
  /** Browsers save the response as a file instead of showing it. */
  readonly attachment?: true;
  /** Whether the response sets or clears the session cookies. */
  readonly cookies?: "set" | "clear";
  /** The codes of this operation's own rules. `errorsOf` adds the general ones. */
  readonly errors: readonly ErrorCode[];
}

/** Preserves the literal types of a descriptor, which type the handlers and clients. */
export function operation<const O extends Operation>(descriptor: O): O {
  return descriptor;
}

export function isChange(operation: Operation): boolean {
  return operation.method !== "GET";
}

export type BodyOf<O extends Operation> = O["body"] extends TObject ? Static<O["body"]> : undefined;

export type QueryOf<O extends Operation> = O["query"] extends TObject
  ? Static<O["query"]>
  : undefined;

type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

export type ParametersOf<O extends Operation> = {
  readonly [Name in PathParameter<O["path"]>]: string;
};

/** A response that a handler may return: a declared status with its body. */
export type AnswerOf<O extends Operation> = {
  [Status in keyof O["answers"] & number]: {
    readonly status: Status;
    readonly body: O["answers"][Status] extends TSchema ? Static<O["answers"][Status]> : null;
  };
}[keyof O["answers"] & number];

const everyOperation: readonly ErrorCode[] = [
  "bad_request",
  "misdirected_request",
  "origin_rejected",
  "uri_too_long",
  "headers_too_large",
  "expectation_failed",
  "internal_error",
  "service_unavailable",
];

/** Every error code of the operation: the general ones, then its own. */
export function errorsOf(operation: Operation): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>(everyOperation);
  const add = (...more: ErrorCode[]) => more.forEach((code) => codes.add(code));
  if (isChange(operation)) add("unsupported_media_type");
  if (isChange(operation) && operation.listener === "account") add("api_key_forbidden");
  if (operation.access.kind === "session") {
    add("authentication_required", "session_invalid");
    add(isChange(operation) ? "csrf_failed" : "insufficient_scope");
    if (isChange(operation) && operation.frozen !== "allowed") add("account_frozen");
  }
  if (operation.access.kind === "operator") {
    add("authentication_required", "session_invalid");
    if (operation.access.role !== "support") add("role_forbidden");
    if (operation.secondFactor !== "not_needed") add("second_factor_required");
    if (isChange(operation)) add("csrf_failed");
  }
  if (isChange(operation)) add("payload_too_large", "invalid_json", "validation_failed");
  if (operation.query !== undefined) add("validation_failed");
  if (operation.idempotency !== "none") {
    add("idempotency_key_required", "idempotency_key_invalid", "idempotency_conflict");
  }
  if (operation.path.includes("{")) add("not_found");
  add(...operation.errors);
  return [...codes];
}
