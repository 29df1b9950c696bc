import type { FieldError } from "@ironlease/client";
import type { ExitName } from "./exit-codes.ts";

/** An error as it is reported to people and programs. */
export interface Failure {
  readonly exit: ExitName;
  /** A code of the service, or one of this program's own. */
  readonly code: string;
  /** One or more sentences. */
  readonly message: string;
  readonly fields?: readonly FieldError[] | undefined;
  /** What to do, one line each. Commands can be copied. */
  readonly advice?: readonly string[] | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** A failure that this program detected itself. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The command line or a local file is invalid, and nothing was sent. */
export function usageFailure(message: string, ...advice: readonly string[]): CommandFailure {
  return new CommandFailure({ exit: "usage", code: "usage", message, advice });
}
