import type { Clock } from "./wire.ts";

/** Bounds of one call, however often it sends. */
export interface Pace {
  readonly clock: Clock;
  readonly random: () => number;
  /** How often it sends at most. */
  readonly attempts: number;
  /** How long one sending may take. */
  readonly timeoutMs: number;
  /** How long the whole call may take, waits included. */
  readonly deadlineMs: number;
}

export const defaults = { attempts: 4, timeoutMs: 10_000, deadlineMs: 45_000 } as const;

const firstWaitMs = 200;
const longestWaitMs = 5_000;

/**
 * How long to wait before the next sending: anything up to twice as long each time, so that clients
 * that failed together do not come back together; never less than the service asked for.
 */
export function waitBefore(
  sends: number,
  retryAfterSeconds: number | undefined,
  random: () => number,
): number {
  const most = Math.min(longestWaitMs, firstWaitMs * 2 ** (sends - 1));
  return (retryAfterSeconds ?? 0) * 1_000 + random() * most;
}

const mostRetries = 20;

/**
 * How many reads may be sent again while nothing is answered, by all calls of a client together. When
 * the service is down, a page with many reads must not ask four times as often as when it is up.
 */
export class RetryBudget {
  #left = mostRetries;

  /** False when there is none left. */
  spend(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  earn(): void {
    this.#left = Math.min(mostRetries, this.#left + 1);
  }
}
