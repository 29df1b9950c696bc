import { setTimeout as delay } from "node:timers/promises";
import { recordOutcome, type Outcome, type Sender } from "./sender.ts";
import { Tally } from "./tally.ts";

/** How often the open loop sends due requests. Latency counts from the due time, so a late tick is included. */
const tickMs = 2;

/** Each worker sends its next request when the previous answer arrives, which measures the maximum rate. */
export async function closedLoop(
  sender: Sender,
  concurrency: number,
  seconds: number,
): Promise<{ readonly perSecond: number; readonly tally: Tally }> {
  const tally = new Tally();
  const startedAt = performance.now();
  const overAt = startedAt + seconds * 1000;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() < overAt) recordOutcome(tally, await sender.sendNext());
    }),
  );
  return { perSecond: tally.answered / ((performance.now() - startedAt) / 1000), tally };
}

/**
 * Sends requests at random times with the given mean rate (a Poisson process), whether or not earlier ones
 * were answered, as independent customers do.
 */
export async function openLoop(
  sender: Sender,
  random: () => number,
  perSecond: number,
  shouldContinue: () => boolean,
  onOutcome: (outcome: Outcome) => void,
): Promise<void> {
  const inFlight = new Set<Promise<void>>();
  let nextAt = performance.now();
  while (shouldContinue()) {
    for (; nextAt <= performance.now(); nextAt += (-Math.log(1 - random()) * 1000) / perSecond) {
      const sending = sender.sendNext(nextAt).then(onOutcome);
      inFlight.add(sending);
      void sending.finally(() => inFlight.delete(sending));
    }
    await delay(tickMs);
  }
  await Promise.all(inFlight);
}

/** Runs an open loop until the work is done. */
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
