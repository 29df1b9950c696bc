const firstPauseMs = 5_000;
const longestPauseMs = 6 * 3_600_000;
const longestSubscriberPauseMs = 5 * 60_000;

/** How long a delivery is retried. */
const retryForMs = 3 * 24 * 3_600_000;

/**
 * When to try again after a failure, or null to give up. The pause is as long as the delivery has already waited, so
 * it doubles with each attempt. `jitter`, from 0 to 1, spreads attempts that failed together.
 */
export function retryAt(firstDueAt: number, now: number, jitter: number): number | null {
  const waited = now - firstDueAt;
  const pause = Math.min(Math.max(waited, firstPauseMs), longestPauseMs);
  const at = Math.round(now + pause * (0.8 + 0.4 * jitter));
  return at > firstDueAt + retryForMs ? null : at;
}

/**
 * How long to send nothing to a subscriber whose attempts have failed for so long. Without the pause, each of its due
 * deliveries would find out by itself that the receiver is down.
 */
export function subscriberPauseMs(failingForMs: number): number {
  return Math.min(Math.max(failingForMs, firstPauseMs), longestSubscriberPauseMs);
}
