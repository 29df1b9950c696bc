/** Added to both measurements, so that noise in very short runs does not produce a high ratio. */
const noiseMs = 0.2;

const minRounds = 3;
const maxRounds = 40;

/**
 * Returns the cost of `work` on the long input relative to the short one. With an input four times as long,
 * that is about 4 for linear growth and 16 for quadratic growth. Measures processor time, because on a busy
 * machine other processes interrupt every long run. Noise can only slow a run down, so the fastest of several runs
 * counts, and a suspicious ratio is measured more often.
 */
export function growthOf<Input>(
  work: (input: Input) => unknown,
  short: Input,
  long: Input,
  suspicious: number,
): number {
  let [shortMs, longMs] = [Infinity, Infinity];
  let ratio = Infinity;
  for (let round = 0; round < minRounds || (ratio >= suspicious && round < maxRounds); round += 1) {
    shortMs = Math.min(shortMs, costOf(work, short));
    longMs = Math.min(longMs, costOf(work, long));
    ratio = (longMs + noiseMs) / (shortMs + noiseMs);
  }
  return ratio;
}

function costOf<Input>(work: (input: Input) => unknown, input: Input): number {
  const start = process.threadCpuUsage();
  work(input);
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}
