import type { ErrorCode } from "./generated/errors.ts";

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** What every error of this client has. No message ever holds a password, a key, a cookie or a token. */
export abstract class IronleaseError extends Error {
  /** The operation that was called, by the method's name; empty outside one. */
  readonly operation: string;
  /** The key that the write was sent with. The same intent goes with the same key, always. */
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

/** The service refused: nothing was changed. */
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

/** No readable answer came, and nothing was changed by asking. */
export class ConnectionError extends IronleaseError {
  override readonly name: string = "ConnectionError";
}

/** No answer came in time. */
export class TimeoutError extends ConnectionError {
  override readonly name = "TimeoutError";
}

/**
 * A change was sent, its answer was lost, and the service could not be brought to say what became of
 * it. With an `idempotencyKey`: call again with that key and `resend: true`. Without one: look at what
 * `check` shows before doing it again.
 */
export class OutcomeUnknown extends IronleaseError {
  override readonly name = "OutcomeUnknown";
  /** The operation that shows what became of it, where there is one. */
  readonly check: string | undefined;

  constructor(
    call: { id: string; key?: string | undefined; check?: string | undefined },
    cause: unknown,
  ) {
    const advice =
      call.key === undefined ? "" : " Call it again with the same idempotencyKey and resend: true.";
    const look = call.check === undefined ? "" : ` What ${call.check} answers will tell.`;
    super(
      `Whether ${call.id} was done is not known: its answer was lost.${advice}${look}`,
      call,
      cause,
    );
    this.check = call.check;
  }
}

/** A mistake in how the client is used; nothing was sent. */
export class UsageError extends IronleaseError {
  override readonly name = "UsageError";

  constructor(message: string, id = "") {
    super(message, { id });
  }
}
