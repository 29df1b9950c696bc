import { databaseTroubles } from "#ports/db.ts";
import type { ListenerName, Metrics, RequestTally } from "#ports/metrics.ts";
import type { expose } from "./exposition.ts";
import {
  latencyBounds,
  statusClasses,
  type OperationTally,
  type PassTally,
  type Tallies,
} from "./tallies.ts";

/** What a request led to when it was no operation: a page, a probe, or nothing that we have. */
const noOperation = "none";

/**
 * Counts in plain numbers, which costs a request some ten nanoseconds, and brings in prom-client only
 * when somebody looks: its own counters would take a hundred times as long and its loading would
 * delay every start.
 */
export function createMetrics(labels: Readonly<Record<string, string>>): Metrics {
  const tallies: Tallies = {
    operations: [],
    underWay: new Map(),
    passes: {
      settlement: newPass(),
      renewals: newPass(),
      sweep: newPass(),
      certificate: newPass(),
    },
    troubles: new Map(databaseTroubles.map((trouble) => [trouble, 0])),
  };
  let exposition: Promise<{ expose: typeof expose }> | undefined;

  return {
    requests: (listener, operations) => requestTally(tallies, listener, operations),
    passEnded: (name, at, isGood, done = {}) => {
      const pass = tallies.passes[name];
      pass.runs += 1;
      if (isGood) pass.lastSuccessAt = at;
      for (const [what, count] of Object.entries(done)) {
        pass.done.set(what, (pass.done.get(what) ?? 0) + count);
      }
    },
    passFailed: (name) => {
      tallies.passes[name].failures += 1;
    },
    databaseTrouble: (trouble) =>
      tallies.troubles.set(trouble, (tallies.troubles.get(trouble) ?? 0) + 1),
    text: async (figures) => {
      exposition ??= import("./exposition.ts");
      return (await exposition).expose(tallies, labels, figures);
    },
    contentType: "text/plain; version=0.0.4; charset=utf-8",
  };
}

function newPass(): PassTally {
  return { runs: 0, failures: 0, lastSuccessAt: 0, done: new Map() };
}

function requestTally(
  tallies: Tallies,
  listener: ListenerName,
  operations: readonly string[],
): RequestTally {
  const underWay = { count: 0 };
  tallies.underWay.set(listener, underWay);
  const added = [noOperation, ...operations].map((operation) => newTally(listener, operation));
  tallies.operations.push(...added);
  const byOperation = new Map(added.map((tally) => [tally.operation, tally]));
  const [others] = added;
  return {
    began: () => {
      underWay.count += 1;
    },
    ended: () => {
      underWay.count -= 1;
    },
    answered: (operation, status, ms) => {
      const tally = (operation === undefined ? others : byOperation.get(operation)) ?? others;
      if (tally !== undefined) count(tally, status, ms / 1000);
    },
  };
}

function newTally(listener: ListenerName, operation: string): OperationTally {
  return {
    listener,
    operation,
    byStatusClass: statusClasses.map(() => 0),
    byLatency: Array.from({ length: latencyBounds.length + 1 }, () => 0),
    totalSeconds: 0,
  };
}

function count(tally: OperationTally, status: number, seconds: number): void {
  const { byStatusClass, byLatency } = tally;
  const statusClass = Math.trunc(status / 100) - 1;
  byStatusClass[statusClass] = (byStatusClass[statusClass] ?? 0) + 1;
  let index = 0;
  while (seconds > (latencyBounds[index] ?? Infinity)) index += 1;
  byLatency[index] = (byLatency[index] ?? 0) + 1;
  tally.totalSeconds += seconds;
}
