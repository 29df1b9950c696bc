export interface LookOptions {
  /** Who asks is told after so long that nothing came, however long the look itself goes on. */
  readonly waitMs: number;
  /** How long an answer is good for those who ask later. */
  readonly keepMs?: number;
  readonly now?: () => number;
}

/**
 * A look at something slow that everybody who asks meanwhile shares: probes that repeat while a
 * database hangs would otherwise take up one connection after another.
 */
export function sharedLook<T>(look: () => Promise<T>, options: LookOptions): () => Promise<T> {
  const { waitMs, keepMs = 0, now = () => 0 } = options;
  let underWay: Promise<T> | undefined;
  let kept: { readonly value: T; readonly at: number } | undefined;

  const start = async (): Promise<T> => {
    const at = now();
    try {
      const value = await look();
      if (keepMs > 0) kept = { value, at };
      return value;
    } finally {
      underWay = undefined;
    }
  };
  return () => {
    // A clock that went back makes nothing fresh.
    const age = kept === undefined ? Infinity : Math.abs(now() - kept.at);
    if (kept !== undefined && age < keepMs) return Promise.resolve(kept.value);
    underWay ??= start();
    return withinTime(underWay, waitMs);
  };
}

async function withinTime<T>(promise: Promise<T>, waitMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("it took too long")), waitMs);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
