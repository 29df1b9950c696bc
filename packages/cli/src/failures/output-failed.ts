import { getSystemErrorMap } from "node:util";
import { constants } from "node:os";
import type { Once } from "#output/output.ts";
import { CommandFailure, usageFailure, type Failure } from "./failure.ts";

/** Writing to standard output failed. */
export class OutputFailed extends CommandFailure {
  /** The reader closed the pipe, as in `ironlease ledger list | head -1`. */
  readonly isSeenEnough: boolean;

  constructor(failure: Failure, isSeenEnough: boolean) {
    super(failure);
    this.isSeenEnough = isSeenEnough;
  }
}

/** Detected before anything was sent. */
export function outputUnwritable(code: string): CommandFailure {
  return usageFailure(
    `Cannot write to standard output: ${reasonOf(code)}. The response is shown only once, so nothing was sent.`,
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
    const done = isChange ? "The change was made, but the response" : "The response";
    const message = `${done} could not be written to standard output: ${reason}.`;
    const failure = { exit: "failed", code: "output_failed", message, idempotencyKey } as const;
    return new OutputFailed(failure, code === "EPIPE");
  }
  const message = `${once.done}, but ${once.what} could not be written to standard output: ${reason}.`;
  // A log must not get the secret. A terminal may show it: the user asked to see it.
  const advice = isWatched ? [`It is shown here instead, only once: ${once.secret}`] : once.ifLost;
  return new OutputFailed({ exit: "failed", code: "output_failed", message, advice }, false);
}

function reasonOf(code: string): string {
  const number = (constants.errno as Readonly<Record<string, number>>)[code];
  // `getSystemErrorMessage` needs Node 22.
  const [, message] = getSystemErrorMap().get(-(number ?? 0)) ?? [];
  return message === undefined ? code : `${message} (${code})`;
}
