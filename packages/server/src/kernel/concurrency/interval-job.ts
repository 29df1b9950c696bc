/** However long the trouble lasts, it is looked at again within so much. */
const maxPauseMs = 60_000;

/** A pass that runs again and again, never twice at once, until it is stopped. */
export interface RepeatingPass {
  /** Starts no further pass, and resolves when the one under way is over. */
  stop(): Promise<void>;
}

/**
 * Runs the pass soon and then every so often. It gives what went wrong, or throws it: that is reported
 * and tried again, more slowly the longer it lasts.
 */
export function startRepeating(
  pass: (stop: AbortSignal) => Promise<readonly unknown[]>,
  everyMs: number,
  report: (error: unknown) => void,
): RepeatingPass {
  const stopping = new AbortController();
  let failedPasses = 0;
  let timer: NodeJS.Timeout | undefined;
  let underWay = Promise.resolve();

  const run = async () => {
    const failures = await pass(stopping.signal).catch((error: unknown) => [error]);
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

/** Twice as long after each pass that failed, up to a bound. */
export function pauseMs(everyMs: number, failedPasses: number): number {
  const pause = everyMs * 2 ** Math.min(failedPasses, 16);
  return Math.max(everyMs, Math.min(pause, maxPauseMs));
}
