/**
 * Costs this small say more about the machine than about the code. Both measurements count as at
 * least this much longer, so that noise cannot make a ratio.
 */
const noiseMs = 0.2;

const minRounds = 3;
const maxRounds = 40;

/**
 * How much more `work` costs on a text four times as long: about 4 where the cost grows in
 * proportion, about 16 where it grows with the square. Other processes only ever make a run slower,
 * so the fastest of several runs counts, and a high ratio gets more runs to come down.
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
  const start = performance.now();
  work(input);
  return performance.now() - start;
}
