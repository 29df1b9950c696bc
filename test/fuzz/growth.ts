export interface Growth {
  readonly text: string;
  readonly isTooMuch: boolean;
}

/** Caches fill up and the engine compiles; what is kept for each request comes on top of that. */
const allowedFactor = 1.25;
const allowedBytes = 4 * 1024 * 1024;

/**
 * Whether memory after a quarter of the requests, when everything is warm, and after all of them differ
 * by more than warming up explains.
 */
export function growthIn(memory: readonly number[]): Growth {
  const [first = 0, last = 0] = [memory[0], memory.at(-1)];
  const shown = memory.map((bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`);
  return {
    text: `in use after each quarter: ${shown.join(", ")}`,
    isTooMuch: last > first * allowedFactor + allowedBytes,
  };
}
