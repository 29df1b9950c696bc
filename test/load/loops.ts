import { setTimeout as delay } from "node:timers/promises";
import { count, type Outcome, type Sender } from "./sender.ts";
import { Tally } from "./tally.ts";

/** How often the pacer looks at what is due; a request that is a little late counts from its own time. */
const tickMs = 2;

/** Everybody sends as soon as the answer before has come: as much as the service can take. */
export async function closedLoop(
  sender: Sender,
  lanes: number,
  seconds: number,
): Promise<{ readonly perSecond: number; readonly tally: Tally }> {
  const tally = new Tally();
  const startedAt = performance.now();
  const overAt = startedAt + seconds * 1000;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (performance.now() < overAt) count(tally, await sender.sendNext());
    }),
  );
  return { perSecond: tally.answered / ((performance.now() - startedAt) / 1000), tally };
}

/**
 * Requests leave at random moments, so many a second on average, whether or not those before are
 * answered: customers do not know of each other.
 */
export async function openLoop(
  sender: Sender,
  random: () => number,
  perSecond: number,
  goesOn: () => boolean,
  onOutcome: (outcome: Outcome) => void,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  let nextAt = performance.now();
  while (goesOn()) {
    for (; nextAt <= performance.now(); nextAt += (-Math.log(1 - random()) * 1000) / perSecond) {
      const sending = sender.sendNext(nextAt).then(onOutcome);
      underWay.add(sending);
      void sending.finally(() => underWay.delete(sending));
    }
    await delay(tickMs);
  }
  await Promise.all(underWay);
}

/** An open loop until the work is over. */
export async function openLoopDuring<T>(
  sender: Sender,
  random: () => number,
  perSecond: number,
  work: () => Promise<T>,
  onOutcome: (outcome: Outcome) => void,
): Promise<T> {
  let isOver = false;
  const loop = openLoop(sender, random, perSecond, () => !isOver, onOutcome);
  try {
    return await work();
  } finally {
    isOver = true;
    await loop;
  }
}
