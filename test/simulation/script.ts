import { Chance } from "./chance.ts";
import { drawErrand, type Errand } from "./draw-operations.ts";
import { calm, drawWeather, type Weather } from "./faults.ts";
import type { Logged } from "./judge.ts";

/** What happens in a run, apart from what comes of it. */
export interface Script {
  readonly weather: Weather;
  /** How many senders may be at it at once. */
  readonly width: number;
  /** The next errand, and when; undefined when that was all. */
  next(): { readonly errand: Errand; readonly at?: number } | undefined;
  /** Who goes on, what goes wrong, and what is random in the service itself. */
  readonly schedule: Chance;
  readonly faults: Chance;
  readonly random: Chance;
}

const maxWidth = 6;
/** Most runs are short, since what goes wrong mostly needs little, and a few are long. */
const errands = { least: 4, most: 40 };

/** Everything follows from the seed. One at a time where several would wait for each other's rows. */
export function scriptOf(seed: number, isAlone = false): Script {
  const chance = new Chance(seed, "script");
  const operations = new Chance(seed, "operations");
  const weather = drawWeather(chance);
  const width = isAlone ? 1 : 1 + chance.below(maxWidth);
  const share = (chance.below(1_000) / 1_000) ** 3;
  let left = errands.least + Math.floor(share * (errands.most - errands.least));
  return {
    ...{ weather, width, ...streams(seed) },
    next: () => {
      left -= 1;
      return left < 0 ? undefined : { errand: drawErrand(operations) };
    },
  };
}

/** What was decided in a run, one after the other at the same times and without any trouble. */
export function scriptOfLog(log: readonly Logged[]): Script {
  let at = 0;
  return {
    ...{ weather: calm, width: 1, ...streams(0) },
    next: () => {
      const logged = log[at];
      at += 1;
      return logged && { errand: [logged.operation], at: logged.at };
    },
  };
}

function streams(seed: number) {
  return {
    schedule: new Chance(seed, "schedule"),
    faults: new Chance(seed, "faults"),
    random: new Chance(seed, "random"),
  };
}
