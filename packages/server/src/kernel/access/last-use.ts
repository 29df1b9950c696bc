/** More at once would fill the queue of writes. A use that is left out is stored with the next one, a minute later. */
const maxInFlight = 100;
/** As many sessions and keys are remembered; the one that was noted longest ago goes first. */
const maxRemembered = 10_000;

/**
 * When sessions and keys were last used. It is written in the background, once at a time for each, so
 * that a database that cannot be written to neither delays nor fails a read.
 */
export interface LastUse {
  /** The stored time, or the later one that this process has noted and may not have stored yet. */
  latest(id: string, storedAt: number): number;
  /** Remembers a use and starts to store it. A failure is not the caller's. */
  note(id: string, at: number, store: (at: number) => Promise<unknown>): void;
  /** Resolves when nothing is being stored. */
  settled(): Promise<void>;
}

/** `onFailure` hears of the first failure after a success, and not of each one after it. */
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
