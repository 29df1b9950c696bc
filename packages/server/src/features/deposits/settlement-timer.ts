import type { Core } from "../../kernel/core.ts";
import { watchSettlement } from "./watch-settlement.ts";

/** However long the trouble lasts, it is looked at again within so much. */
const maxPauseMs = 60_000;

export interface SettlementWatch {
  /** Starts no further pass, and resolves when the one under way is over. */
  stop(): Promise<void>;
}

/**
 * Watches the networks from now on, one pass after the other and never two at once. Whatever goes
 * wrong is reported and tried again, more slowly the longer it lasts.
 */
export function startSettlementWatch(
  core: Core,
  report: (error: unknown) => void,
  everyMs: number,
): SettlementWatch {
  const stopping = new AbortController();
  let failedPasses = 0;
  let timer: NodeJS.Timeout | undefined;
  let underWay = Promise.resolve();

  const run = async () => {
    const failures = await failuresOf(core, stopping.signal);
    failures.forEach(report);
    failedPasses = failures.length === 0 ? 0 : failedPasses + 1;
    if (!stopping.signal.aborted) schedule(pauseMs(everyMs, failedPasses));
  };
  const schedule = (ms: number) => {
    timer = setTimeout(() => {
      underWay = run();
    }, ms).unref();
  };
  schedule(0);

  return {
    stop: () => {
      stopping.abort();
      clearTimeout(timer);
      return underWay;
    },
  };
}

async function failuresOf(core: Core, stop: AbortSignal): Promise<readonly unknown[]> {
  try {
    return (await watchSettlement(core, stop)).failures;
  } catch (error) {
    return [error];
  }
}

/** Twice as long after each pass that failed, up to a bound. */
export function pauseMs(everyMs: number, failedPasses: number): number {
  const pause = everyMs * 2 ** Math.min(failedPasses, 16);
  return Math.max(everyMs, Math.min(pause, maxPauseMs));
}
