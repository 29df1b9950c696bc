import { withDeadline } from "#kernel/concurrency/deadline.ts";

export interface CachedProbeOptions {
  /** A caller waits this long at most. The probe itself may run on. */
  readonly timeoutMs: number;
  /** How long a result is reused. By default, only callers during the run share it. */
  readonly maxAgeMs?: number;
  readonly now?: () => number;
}

/**
 * A single-flight cache for a slow probe. Without it, probes repeated while the database hangs would
 * take one connection after another.
 */
export function cachedProbe<T>(
  probe: () => Promise<T>,
  { timeoutMs, maxAgeMs = 0, now = () => 0 }: CachedProbeOptions,
): () => Promise<T> {
  let inFlight: Promise<T> | undefined;
  let cached: { readonly value: T; readonly at: number } | undefined;

  const start = async (): Promise<T> => {
    const at = now();
    try {
      const value = await probe();
      if (maxAgeMs > 0) cached = { value, at };
      return value;
    } finally {
      inFlight = undefined;
    }
  };
  return () => {
    // `abs`, so that a result does not stay fresh for long after the clock is set back.
    const age = cached === undefined ? Infinity : Math.abs(now() - cached.at);
    if (cached !== undefined && age < maxAgeMs) return Promise.resolve(cached.value);
    const shared = (inFlight ??= start());
    return withDeadline(timeoutMs, timedOut, () => shared);
  };
}

function timedOut(): Error {
  return new Error("the probe timed out");
}
