/** More concurrent stores would fill the write queue. A skipped use is stored with the next one, a minute later. */
const maxInFlight = 100;
/** The number of sessions and keys remembered. The least recently noted is evicted first. */
const maxRemembered = 10_000;

/**
 * Tracks when sessions and keys were last used. Stores happen in the background, one at a time per session or key, so
 * a database that cannot be written neither delays nor fails a read.
 */
export interface LastUse {
  /** The stored time, or a later one that this process has noted but may not have stored yet. */
  latest(id: string, storedAt: number): number;
  /** Remembers a use and starts storing it. Failures never reach the caller. */
  note(id: string, at: number, store: (at: number) => Promise<unknown>): void;
  /** Resolves when no store is in progress. */
  settled(): Promise<void>;
}

/** `onFailure` receives the first failure after a success, but not the ones that follow it. */
export function createLastUse(onFailure: (error: unknown) => void = () => {}): LastUse {
  const remembered = new Map<string, number>();
  const inFlight = new Map<string, Promise<void>>();
  let isFailing = false;

  const remember = (id: string, at: number) => {
    remembered.delete(id);
    remembered.set(id, at);
    const [oldest] = remembered.keys();
    if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest);
  };
  const run = async (id: string, at: number, store: (at: number) => Promise<unknown>) => {
    try {
      let storedAt: number;
      do {
        storedAt = remembered.get(id) ?? at;
        await store(storedAt);
      } while ((remembered.get(id) ?? at) > storedAt);
      isFailing = false;
    } catch (error) {
      if (!isFailing) onFailure(error);
      isFailing = true;
    } finally {
      inFlight.delete(id);
    }
  };
  return {
    latest: (id, storedAt) => Math.max(storedAt, remembered.get(id) ?? 0),
    note: (id, at, store) => {
      remember(id, at);
      if (inFlight.has(id) || inFlight.size >= maxInFlight) return;
      inFlight.set(id, run(id, at, store));
    },
    settled: async () => {
      await Promise.all(inFlight.values());
    },
  };
}
