/**
 * Single-flight for work that must see everything before the call: at most one run is in flight, and
 * calls made during it share the next run, which starts when it ends.
 */
export function singleFlight<T>(run: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const start = (): Promise<T> => {
    next = undefined;
    const started = run().finally(() => {
      // A queued run replaces this one itself, so that no third run starts between them.
      if (next === undefined) current = undefined;
    });
    current = started;
    return started;
  };
  return () => {
    if (current === undefined) return start();
    next ??= current.then(start, start);
    return next;
  };
}
