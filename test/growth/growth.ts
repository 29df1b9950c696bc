/** Added to both measurements, so that noise in very short runs does not produce a high ratio. */
const noiseMs = 0.2;

const quickRounds = 3;
const exactRounds = 5;

/** Ten times the interval at which most kernels update processor time. */
const exactMs = 40;

/**
 * Returns the cost of `work` on the long input relative to the short one. With an input four times as long,
 * that is about 4 for linear growth and 16 for quadratic growth. Noise can only slow a run down, so the fastest of
 * several runs counts, and a suspicious ratio is measured exactly.
 */
export function growthOf<Input>(
  work: (input: Input) => unknown,
  short: Input,
  long: Input,
  suspicious: number,
): number {
  const ratioOf = (rounds: number, cost: (input: Input) => number) => {
    let [shortMs, longMs] = [Infinity, Infinity];
    for (let round = 0; round < rounds; round += 1) {
      shortMs = Math.min(shortMs, cost(short));
      longMs = Math.min(longMs, cost(long));
    }
    return (longMs + noiseMs) / (shortMs + noiseMs);
  };
  const quick = ratioOf(quickRounds, (input) => elapsedMs(work, input));
  return quick < suspicious ? quick : ratioOf(exactRounds, (input) => processorMs(work, input));
}

function elapsedMs<Input>(work: (input: Input) => unknown, input: Input): number {
  const start = performance.now();
  work(input);
  return performance.now() - start;
}

/** Other processes do not count. A single short run could seem to take no time at all, so it is repeated. */
function processorMs<Input>(work: (input: Input) => unknown, input: Input): number {
  const start = process.threadCpuUsage();
  let [runs, usedMs] = [0, 0];
  while (usedMs < exactMs) {
    work(input);
    runs += 1;
    const { user, system } = process.threadCpuUsage(start);
    usedMs = (user + system) / 1_000;
  }
  return usedMs / runs;
}
