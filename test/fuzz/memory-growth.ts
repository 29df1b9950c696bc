export interface MemoryGrowth {
  readonly text: string;
  readonly isTooMuch: boolean;
}

/** Allowance for caches and compiled code. A leak per request exceeds it. */
const allowedFactor = 1.25;
const allowedBytes = 4 * 1024 * 1024;

/** Compares memory after a quarter of the requests, when the service is warm, with memory at the end. */
export function memoryGrowth(memory: readonly number[]): MemoryGrowth {
  const [first = 0, last = 0] = [memory[0], memory.at(-1)];
  const shown = memory.map((bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`);
  return {
    text: `memory in use after each quarter: ${shown.join(", ")}`,
    isTooMuch: last > first * allowedFactor + allowedBytes,
  };
}
