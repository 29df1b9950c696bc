import type { FieldError } from "@ironlease/client";
import type { ExitName } from "./exit-codes.ts";

/** What went wrong, as it is told to people and to programs. */
export interface Failure {
  readonly exit: ExitName;
  /** The service's code, or one of this program's own. */
  readonly code: string;
  /** A sentence or several. */
  readonly message: string;
  readonly fields?: readonly FieldError[] | undefined;
  /** What to do now, a line each; commands are written so that they can be copied. */
  readonly advice?: readonly string[] | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** A failure that this program has found itself. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The command line or a file is not right: nothing was sent. */
export function usageFailure(message: string, ...advice: readonly string[]): CommandFailure {
  return new CommandFailure({ exit: "usage", code: "usage", message, advice });
}
