import type { ErrorCode, FieldError, RateLimitName } from "@ironlease/contract";

/** An expected refusal, which becomes an HTTP error in one place. Bugs and outages are thrown instead. */
export interface Refusal {
  readonly code: ErrorCode;
  /** A more precise message than the code's own, safe to show to the caller. */
  readonly message?: string;
  readonly fields?: readonly FieldError[];
  readonly limit?: ReachedLimit;
  /**
   * The refusal confirms a row that another transaction committed and this one locked, so it must be as durable as an
   * ok. `db.write` commits the transaction, which has written nothing else.
   */
  readonly commits?: true;
}

/** What a 429 reports: the limit and when to retry. */
export interface ReachedLimit {
  readonly name: RateLimitName | "passwordHashing";
  readonly count: number;
  readonly windowSeconds: number;
  readonly retryAfterSeconds: number;
}

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal };
