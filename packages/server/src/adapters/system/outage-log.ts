import type { Logger } from "pino";
import type { Clock } from "#ports/clock.ts";
import { DatabaseUnavailable, Overloaded, type Access, type OnOutcome } from "#ports/db.ts";

/** An outage that lets a request through now and then is still the same one. */
const quietMs = 5_000;

interface Outage {
  readonly since: number;
  failedAt: number;
  failures: number;
}

/**
 * Logs an outage of the database when it begins and when it has ended. Reads and writes have theirs apart: a
 * database that is read-only or full answers reads.
 */
export function outageLog(log: Logger, clock: Clock): OnOutcome {
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

/** What the outage log does not tell of. */
export function logUnlessOutage(log: Logger, error: unknown, what: string): void {
  if (error instanceof DatabaseUnavailable) log.debug({ reason: error.message }, what);
  else log.error({ err: error }, what);
}

function isOutage(error: unknown): error is DatabaseUnavailable {
  return error instanceof DatabaseUnavailable && !(error instanceof Overloaded);
}

function reasonOf({ message, cause }: DatabaseUnavailable): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
