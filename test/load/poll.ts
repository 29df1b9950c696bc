import { setTimeout as delay } from "node:timers/promises";

const intervalMs = 50;

/** Polls until the condition holds. Throws when it does not hold within the time limit. */
export async function until(
  condition: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 60_000,
): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > giveUpAt)
      throw new Error(`Timed out after ${withinMs / 1000} s waiting until ${condition}.`);
    await delay(intervalMs);
  }
}
