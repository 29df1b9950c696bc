import { setTimeout as delay } from "node:timers/promises";

const everyMs = 50;

/** Looks again and again until it holds; throws when it does not within the bound. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 60_000,
): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`${what}: not within ${withinMs / 1000} s`);
    await delay(everyMs);
  }
}
