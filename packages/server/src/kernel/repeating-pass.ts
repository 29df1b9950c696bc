/** A pass that runs again and again, never twice at once, until it is stopped. */
export interface RepeatingPass {
  /** Waits for a pass under way. */
  stop(): Promise<void>;
}

const maxBackoffMs = 60_000;

/**
 * Runs the pass at once and then every so often. One that fails is reported and tried again later
 * and later, since what it needs may be away for a while.
 */
export function startRepeating(
  pass: () => Promise<unknown>,
  everyMs: number,
  onError: (error: unknown) => void,
): RepeatingPass {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let failures = 0;
  const run = async (): Promise<void> => {
    try {
      await pass();
      failures = 0;
    } catch (error) {
      failures += 1;
      onError(error);
    }
    if (isStopped) return;
    const waitMs = failures === 0 ? everyMs : Math.min(everyMs * 2 ** failures, maxBackoffMs);
    timer = setTimeout(() => {
      underWay = run();
    }, waitMs).unref();
  };
  let underWay = run();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}
