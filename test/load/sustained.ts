import { averageUntil, type Figures } from "./figures.ts";
import { closedLoop, openLoop } from "./loops.ts";
import type { Place } from "./place.ts";
import { count } from "./sender.ts";
import { describe, Tally } from "./tally.ts";

export interface SustainedOptions {
  /** How long the maximum is measured, after as long a warm-up. */
  readonly maximumSeconds: number;
  readonly stretches: number;
  readonly stretchSeconds: number;
  /** Not more than so many a second, whatever the maximum is. */
  readonly atMost?: number;
  readonly say: (line: string) => void;
}

const lanes = 64;
const share = 0.7;
/** The first two minutes fill caches; from then on memory may breathe, and not grow. */
const steadyFrom = 2;
const growthAllowed = 1.25;

/** The maximum in a closed loop, then seven tenths of it for as long as is asked, in an open one. */
export async function sustain(place: Place, options: SustainedOptions): Promise<readonly string[]> {
  const { say, maximumSeconds, stretches, stretchSeconds, atMost = Infinity } = options;
  const { sender, daemon, random } = place;
  const warm = await closedLoop(sender, lanes, maximumSeconds);
  const { perSecond, tally: hurried } = await closedLoop(sender, lanes, maximumSeconds);
  say(`the most in a closed loop of ${lanes}: ${perSecond.toFixed(0)} a second`);
  const all = new Tally();
  all.add(warm.tally);
  all.add(hurried);
  const problems = unexpectedIn(all, "at the maximum");

  const paced = new Tally();
  const figures: Figures[] = [];
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    const tally = new Tally();
    const overAt = performance.now() + stretchSeconds * 1000;
    const [seen] = await Promise.all([
      averageUntil(daemon.sendToDesk, overAt),
      openLoop(
        sender,
        random,
        Math.min(perSecond * share, atMost),
        () => performance.now() < overAt,
        (outcome) => count(tally, outcome),
      ),
    ]);
    figures.push(seen);
    paced.add(tally);
    const { residentMb, heapMb, eventLoopP99Ms } = seen;
    say(`  ${stretch + 1}: ${describe(tally.percentiles())}`);
    say(
      `     ${residentMb.toFixed(0)} MB resident, ${heapMb.toFixed(0)} MB of heap after a collection, event loop p99 ${eventLoopP99Ms.toFixed(0)} ms`,
    );
  }
  say(`at ${share * 100} % of it: ${describe(paced.percentiles())}`);
  for (const kind of paced.kinds) say(`  ${kind}: ${describe(paced.percentiles(kind))}`);
  return [...problems, ...unexpectedIn(paced, "paced"), ...growthIn(figures, say)];
}

function growthIn(figures: readonly Figures[], say: (line: string) => void): readonly string[] {
  const early = figures[steadyFrom];
  const late = figures.at(-1);
  if (early === undefined || late === undefined || early === late) return [];
  const resident = late.residentMb / early.residentMb;
  const heap = late.heapMb / early.heapMb;
  say(
    `memory at the end against stretch ${steadyFrom + 1}: resident × ${resident.toFixed(2)}, heap × ${heap.toFixed(2)}`,
  );
  return Math.max(resident, heap) > growthAllowed ? ["memory has grown"] : [];
}

export function unexpectedIn({ unexpected }: Tally, when: string): readonly string[] {
  return [...unexpected].map(([what, times]) => `${when}: ${what}, ${times} times`);
}
