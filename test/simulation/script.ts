import { SeededRandom } from "./seeded-random.ts";
import { drawWorkflow, type Workflow } from "./draw-operations.ts";
import { noFaults, drawFaultProfile, type FaultProfile } from "./faults.ts";
import type { LoggedOperation } from "./model-checker.ts";

/** The inputs of a run. */
export interface Script {
  readonly faultProfile: FaultProfile;
  /** The maximum number of concurrent clients. */
  readonly maxClients: number;
  /** The next workflow and its start time, or undefined at the end of the script. */
  next(): { readonly workflow: Workflow; readonly at?: number } | undefined;
  /** Decides which client proceeds. */
  readonly schedule: SeededRandom;
  readonly faults: SeededRandom;
  /** The random numbers of the service itself. */
  readonly random: SeededRandom;
}

const maxConcurrentClients = 6;
/** Number of workflows. Most runs are short, because most bugs need few requests. */
const workflows = { least: 4, most: 40 };

/** Derives a script from the seed. */
export function scriptOf(seed: number, isSequential = false): Script {
  const random = new SeededRandom(seed, "script");
  const operations = new SeededRandom(seed, "operations");
  const faultProfile = drawFaultProfile(random);
  const maxClients = isSequential ? 1 : 1 + random.below(maxConcurrentClients);
  const share = (random.below(1_000) / 1_000) ** 3;
  let left = workflows.least + Math.floor(share * (workflows.most - workflows.least));
  return {
    faultProfile,
    maxClients,
    ...streams(seed),
    next: () => {
      left -= 1;
      return left < 0 ? undefined : { workflow: drawWorkflow(operations) };
    },
  };
}

/** Repeats the logged operations of a run in sequence, at the same times and without faults. */
export function scriptOfLog(log: readonly LoggedOperation[]): Script {
  let at = 0;
  return {
    faultProfile: noFaults,
    maxClients: 1,
    ...streams(0),
    next: () => {
      const logged = log[at];
      at += 1;
      return logged && { workflow: [logged.operation], at: logged.at };
    },
  };
}

function streams(seed: number) {
  return {
    schedule: new SeededRandom(seed, "schedule"),
    faults: new SeededRandom(seed, "faults"),
    random: new SeededRandom(seed, "random"),
  };
}
