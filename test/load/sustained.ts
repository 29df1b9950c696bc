import { averageUntil, type Figures } from "./figures.ts";
import { closedLoop, openLoop } from "./loops.ts";
import type { Place } from "./place.ts";
import { count } from "./sender.ts";
import { describe, Tally } from "./tally.ts";

export interface SustainedOptions {
  readonly perSecond: number;
  readonly stretches: number;
  readonly stretchSeconds: number;
  readonly say: (line: string) => void;
}

const lanes = 64;
/** The first two minutes fill caches; from then on memory may breathe, and not grow. */
const steadyFrom = 2;
const growthAllowed = 1.25;

/** What the service takes in a closed loop, after as long a warm-up. */
export async function measureMaximum(
  { sender }: Place,
  seconds: number,
): Promise<{ readonly perSecond: number; readonly problems: readonly string[] }> {
  const warm = await closedLoop(sender, lanes, seconds);
  const { perSecond, tally } = await closedLoop(sender, lanes, seconds);
  tally.add(warm.tally);
  return { perSecond, problems: unexpectedIn(tally, "at the maximum") };
}

/** So many requests a second, for as long as is asked, in an open loop. */
export async function sustain(place: Place, options: SustainedOptions): Promise<readonly string[]> {
  const { say, perSecond, stretches, stretchSeconds } = options;
  const { sender, daemon, random } = place;
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
        perSecond,
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
  say(`all: ${describe(paced.percentiles())}`);
  for (const kind of paced.kinds) say(`  ${kind}: ${describe(paced.percentiles(kind))}`);
  return [...unexpectedIn(paced, "paced"), ...growthIn(figures, say)];
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
