import { withTrace } from "./trace.ts";

/** The longest pause between failed runs, unless the interval itself is longer. */
const maxPauseMs = 60_000;

/** A job that runs at an interval, never concurrently with itself. */
export interface IntervalJob {
  /** Schedules no further run and resolves when the current run has finished. */
  stop(): Promise<void>;
}

export interface WakeableJob extends IntervalJob {
  /** Runs the job now, or once more if it is running. */
  wake(): void;
}

/**
 * Runs a job immediately and then at an interval. The job returns its failures or throws one. Each is reported,
 * and a run with failures is retried with exponential backoff.
 */
export function startIntervalJob(
  run: (stop: AbortSignal) => Promise<readonly unknown[]>,
  everyMs: number,
  report: (error: unknown) => void,
): WakeableJob {
  const stopping = new AbortController();
  let failedRuns = 0;
  let timer: NodeJS.Timeout | undefined;
  let current = Promise.resolve();
  let isRunning = false;
  let isWoken = false;

  const runOnce = async () => {
    isRunning = true;
    isWoken = false;
    const failures = await run(stopping.signal).catch((error: unknown) => [error]);
    isRunning = false;
    failures.forEach(report);
    failedRuns = failures.length === 0 ? 0 : failedRuns + 1;
    if (!stopping.signal.aborted) schedule(isWoken ? 0 : pauseMs(everyMs, failedRuns));
  };
  const schedule = (ms: number) => {
    timer = setTimeout(() => {
      // A request that wakes the job must not lend it its trace.
      current = withTrace(undefined, runOnce);
    }, ms).unref();
  };
  schedule(0);

  return {
    wake: () => {
      if (isRunning) isWoken = true;
      else if (!stopping.signal.aborted) {
        clearTimeout(timer);
        schedule(0);
      }
    },
    stop: () => {
      stopping.abort();
      clearTimeout(timer);
      return current;
    },
  };
}

/** Doubles the interval for each consecutive failed run, up to the maximum. */
export function pauseMs(everyMs: number, failedRuns: number): number {
  const pause = everyMs * 2 ** Math.min(failedRuns, 16);
  return Math.max(everyMs, Math.min(pause, maxPauseMs));
}
