import type { ErrorCode } from "./generated/errors.ts";

export type Scope = "read" | "servers" | "billing";

/**
 * Whether a request may be retried although an earlier copy may have arrived. `free`: always, because
 * it has no lasting effect. `key`: the idempotency key deduplicates the copies. `same`: the request is
 * idempotent by itself. `never`: a second copy could have a second effect.
 */
export type Resend = "free" | "key" | "same" | "never";

/** The runtime description of one operation, generated from the contract. */
export interface OperationRow {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Parameters are in braces. */
  readonly path: string;
  readonly resend: Resend;
  /** Whether it takes fields in the path, the query or the body. */
  readonly takes?: true;
  readonly body?: true;
  /** Whether it needs no authentication. */
  readonly open?: true;
  /** The API key scopes that may call it; none if omitted. */
  readonly scopes?: readonly Scope[];
  /** A used key returns 409 instead of the first response. */
  readonly conflict?: true;
  readonly cookies?: "set" | "clear";
  /** The operation that shows the result when the outcome is unknown. */
  readonly check?: string;
  /** The required shape of the body by status (see `fits`); null for no body. */
  readonly answers: Readonly<Record<number, string | null>>;
  /** The operation is not in the contract of this client, so any 2xx response is accepted. */
  readonly undescribed?: true;
}

/** One listener of the service: its operations, its cookies and the operation that returns the CSRF token. */
export interface Api {
  readonly cookies: { readonly session: string; readonly csrf: string };
  readonly me: string;
  readonly operations: Readonly<Record<string, OperationRow>>;
}

/** The types of one operation. */
export interface OperationTypes {
  readonly request: object | undefined;
  readonly answer: unknown;
  readonly errors: ErrorCode;
  readonly scopes: Scope;
  readonly keyed: boolean;
  readonly versioned: boolean;
}

/**
 * A write whose response was lost, but whose key the service has recorded. Its current state is unknown.
 * Its id is known if the account's records identify it.
 */
export interface Recorded {
  readonly status: "RECORDED";
  readonly id: string | null;
  readonly idempotencyKey: string;
  /**
   * True when the client generated the key: the record must be this request. False when the caller
   * supplied it: the records are consistent with the request but do not show the destination, so the
   * caller must ensure that the key was not used for another request.
   */
  readonly isVerified: boolean;
}
