import type { ErrorCode } from "./generated/errors.ts";

export type Scope = "read" | "servers" | "billing";

/**
 * When a request may be sent again although an earlier copy may have arrived. `free`: always, it
 * changes nothing that counts. `key`: its idempotency key makes all copies one. `same`: it says how
 * things should be, so that twice is as good as once. `never`: a second copy could do a second deed.
 */
export type Resend = "free" | "key" | "same" | "never";

/** What the transport needs to know of one operation while running. Generated from the contract. */
export interface OperationRow {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With parameters in braces. */
  readonly path: string;
  readonly resend: Resend;
  /** Whether it has fields to fill in: of the path, the query or the body. */
  readonly takes?: true;
  readonly body?: true;
  /** Whether anybody may call it. */
  readonly open?: true;
  /** Which API keys may call it; none where left out. */
  readonly scopes?: readonly Scope[];
  /** A used key is a conflict and never a replay. */
  readonly conflict?: true;
  readonly cookies?: "set" | "clear";
  /** Where to look when the outcome is not known: another operation. */
  readonly check?: string;
  /** Status to what the body must have: see `fits`. Null where there is no body. */
  readonly answers: Readonly<Record<number, string | null>>;
  /** The contract of this client does not describe the operation: any answer below 400 is taken. */
  readonly undescribed?: true;
}

/** One listener of the service: its operations, its cookies, and which operation tells the token. */
export interface Api {
  readonly cookies: { readonly session: string; readonly csrf: string };
  readonly me: string;
  readonly operations: Readonly<Record<string, OperationRow>>;
}

/** What the type checker needs to know of one operation. */
export interface OperationTypes {
  readonly request: object | undefined;
  readonly answer: unknown;
  readonly errors: ErrorCode;
  readonly scopes: Scope;
  readonly keyed: boolean;
  readonly versioned: boolean;
}

/**
 * A write whose own answer was lost and whose key the service has on record. What became of it since is
 * not known; its id is, when the account's records show which one it is.
 */
export interface Recorded {
  readonly status: "RECORDED";
  readonly id: string | null;
  readonly idempotencyKey: string;
  /**
   * True when the client made the key: the record can only be this request. False when the caller gave
   * the key: the records do not contradict the request, but they do not show a destination, so the
   * caller must know that the key was never used for another one.
   */
  readonly isVerified: boolean;
}
