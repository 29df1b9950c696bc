import type { Clock } from "./wire.ts";

/** Limits of one call, with all attempts. */
export interface RetryPolicy {
  readonly clock: Clock;
  readonly random: () => number;
  /** Maximum number of attempts of reads and of writes without an idempotency key. */
  readonly attempts: number;
  /** A write with an idempotency key is safe to repeat, so only the deadline ends it by default. */
  readonly keyedAttempts: number;
  /** Time limit of one attempt. */
  readonly timeoutMs: number;
  /** Time limit of the whole call, including waits. */
  readonly deadlineMs: number;
}

/** With the default deadline, a keyed write is sent about twenty times. */
export const defaults = {
  attempts: 4,
  keyedAttempts: 1_000,
  timeoutMs: 10_000,
  deadlineMs: 45_000,
} as const;

const firstWaitMs = 200;
const longestWaitMs = 5_000;

/**
 * Exponential backoff with full jitter, so that clients that failed together do not retry together.
 * Never shorter than the service's Retry-After.
 */
export function backoffMs(
  sends: number,
  retryAfterSeconds: number | undefined,
  random: () => number,
): number {
  const most = Math.min(longestWaitMs, firstWaitMs * 2 ** (sends - 1));
  return (retryAfterSeconds ?? 0) * 1_000 + random() * most;
}

const mostRetries = 20;

/**
 * Limits the retries of reads across all calls of a client. While the service is down, a page with many
 * reads must not multiply its requests.
 */
export class RetryBudget {
  #left = mostRetries;

  /** False if the budget is exhausted. */
  spend(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  earn(): void {
    this.#left = Math.min(mostRetries, this.#left + 1);
  }
}
