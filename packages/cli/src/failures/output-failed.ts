import { getSystemErrorMessage } from "node:util";
import { constants } from "node:os";
import type { Once } from "#output/output.ts";
import { CommandFailure, usageFailure, type Failure } from "./failure.ts";

/** Standard output did not take what was written to it. */
export class OutputFailed extends CommandFailure {
  /** Whoever reads the output has seen enough: `ironlease ledger list | head -1`. */
  readonly isSeenEnough: boolean;

  constructor(failure: Failure, isSeenEnough: boolean) {
    super(failure);
    this.isSeenEnough = isSeenEnough;
  }
}

/** Found out before anything was sent. */
export function outputUnwritable(code: string): CommandFailure {
  return usageFailure(
    `Standard output cannot be written: ${reasonOf(code)}. The answer is shown only once, so nothing was sent.`,
  );
}

interface Unwritten {
  readonly code: string;
  /** Whether the command has changed something. */
  readonly isChange: boolean;
  readonly once: Once | undefined;
  readonly idempotencyKey: string | undefined;
  /** Whether standard error is a terminal. */
  readonly isWatched: boolean;
}

export function outputFailed(unwritten: Unwritten): OutputFailed {
  const { code, isChange, once, idempotencyKey, isWatched } = unwritten;
  const reason = reasonOf(code);
  if (once === undefined) {
    const done = isChange ? "The change was made, but its answer" : "The answer";
    const message = `${done} could not be written to standard output: ${reason}.`;
    const failure = { exit: "failed", code: "output_failed", message, idempotencyKey } as const;
    return new OutputFailed(failure, code === "EPIPE");
  }
  const message = `${once.done}, but ${once.what} could not be written to standard output: ${reason}.`;
  // A log must not get the secret. A terminal may show it: the user asked to see it.
  const advice = isWatched ? [`It is shown here instead, this once: ${once.secret}`] : once.ifLost;
  return new OutputFailed({ exit: "failed", code: "output_failed", message, advice }, false);
}

function reasonOf(code: string): string {
  const number = (constants.errno as Readonly<Record<string, number>>)[code];
  return number === undefined ? code : `${getSystemErrorMessage(-number)} (${code})`;
}
