import type { Clock } from "#ports/clock.ts";
import { DatabaseUnavailable, Overloaded, type Access, type OnOutcome } from "#ports/db.ts";
import type { Log } from "#ports/log.ts";

/** A success sooner than this after a failure does not end the outage. */
const quietMs = 5_000;

interface Outage {
  readonly since: number;
  failedAt: number;
  failures: number;
}

/**
 * Logs when a database outage begins and ends, separately for reads and writes: a database that is read-only
 * or full still answers reads.
 */
export function outageLog(log: Log, clock: Clock): OnOutcome {
  const outages: Record<Access, Outage | undefined> = { read: undefined, write: undefined };
  return (access, error) => {
    const outage = outages[access];
    if (isOutage(error)) {
      const now = clock.now();
      if (outage === undefined) {
        outages[access] = { since: now, failedAt: now, failures: 1 };
        log.warn({ access, reason: reasonOf(error) }, "database outage began");
      } else {
        outage.failedAt = now;
        outage.failures += 1;
      }
    } else if (error === undefined && outage !== undefined) {
      const now = clock.now();
      if (now - outage.failedAt < quietMs) return;
      outages[access] = undefined;
      const { since, failedAt, failures } = outage;
      log.warn({ access, failures, lastedMs: failedAt - since }, "database outage ended");
    }
  };
}

/** Logs an error unless it belongs to an outage, which has its own log lines. */
export function logUnlessOutage(log: Log, error: unknown, what: string): void {
  if (error instanceof DatabaseUnavailable) log.debug({ reason: error.message }, what);
  else log.error({ err: error }, what);
}

function isOutage(error: unknown): error is DatabaseUnavailable {
  return error instanceof DatabaseUnavailable && !(error instanceof Overloaded);
}

function reasonOf({ message, cause }: DatabaseUnavailable): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
