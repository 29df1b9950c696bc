import type { ErrorCode } from "./generated/errors.ts";

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** The base class of all errors. Messages never contain passwords, keys, cookies or tokens. */
export abstract class IronleaseError extends Error {
  /** The name of the called method, or empty outside a call. */
  readonly operation: string;
  /** The key of the write. Reuse it to retry the same intent. */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, call: { id: string; key?: string | undefined }, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.operation = call.id;
    this.idempotencyKey = call.key;
  }
}

export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly status: number;
  readonly requestId: string;
  readonly fields: readonly FieldError[];
  readonly retryAfterSeconds: number | undefined;
}

/** The service rejected the request, and nothing changed. */
export class ApiError<Code extends string = ErrorCode> extends IronleaseError {
  override readonly name = "ApiError";
  readonly code: Code;
  readonly status: number;
  readonly requestId: string;
  readonly fields: readonly FieldError[];
  readonly retryAfterSeconds: number | undefined;

  constructor(refusal: Refusal, call: { id: string; key?: string | undefined }) {
    super(refusal.message, call);
    this.code = refusal.code as Code;
    this.status = refusal.status;
    this.requestId = refusal.requestId;
    this.fields = refusal.fields;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
  }
}

/** No readable response arrived, and nothing changed. */
export class ConnectionError extends IronleaseError {
  override readonly name: string = "ConnectionError";
}

/** No response arrived in time. */
export class TimeoutError extends ConnectionError {
  override readonly name = "TimeoutError";
}

/**
 * A change was sent, its response was lost, and retries did not reveal the outcome. With an
 * `idempotencyKey`, call again with that key and `resend: true`. Without one, check the result with the
 * `check` operation before you repeat the change.
 */
export class OutcomeUnknown extends IronleaseError {
  override readonly name = "OutcomeUnknown";
  /** The operation that shows the result, if there is one. */
  readonly check: string | undefined;

  constructor(
    call: { id: string; key?: string | undefined; check?: string | undefined },
    cause: unknown,
  ) {
    const advice =
      call.key === undefined ? "" : " Call it again with the same idempotencyKey and resend: true.";
    const look = call.check === undefined ? "" : ` Check the result with ${call.check}.`;
    super(
      `The outcome of ${call.id} is unknown: the response was lost.${advice}${look}`,
      call,
      cause,
    );
    this.check = call.check;
  }
}

/** The client was used incorrectly. Nothing was sent. */
export class UsageError extends IronleaseError {
  override readonly name = "UsageError";

  constructor(message: string, id = "") {
    super(message, { id });
  }
}
