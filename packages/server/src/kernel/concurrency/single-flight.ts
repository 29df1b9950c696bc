/**
 * Work of which one run at a time is enough, however many ask for it: whoever asks while one is under way
 * shares the next one, which begins after all of them have asked.
 */
export function sharedRuns<T>(run: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const start = (): Promise<T> => {
    next = undefined;
    const started = run().finally(() => {
      // With a next one it is the next one that takes its place, so that no third begins between them.
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
