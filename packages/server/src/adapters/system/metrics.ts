import type { ListenerName, Metrics, RequestTally } from "#ports/metrics.ts";
import { contentType, expositionText } from "./exposition.ts";
import { processMetrics } from "./process-metrics.ts";
import { serviceMetrics } from "./service-metrics.ts";
import { countAnswer, newOperation, newTallies, type Tallies } from "./tallies.ts";

/** The operation label of a request that is not an operation: a page, a probe or an unknown path. */
const noOperation = "none";

/** Counts in plain numbers, in about ten nanoseconds per request, and writes the text on each scrape (ADR 25). */
export function createMetrics(labels: Readonly<Record<string, string>>): Metrics {
  const tallies = newTallies();
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
    chainWatched: (network, { height, credited, failures }) => {
      const before = tallies.chains.get(network) ?? { height, credits: 0, failures: 0 };
      tallies.chains.set(network, {
        height: height ?? before.height,
        credits: before.credits + credited,
        failures: before.failures + failures,
      });
    },
    certificateUsed: (listener, { startsAt, expiresAt } = { startsAt: 0, expiresAt: 0 }) => {
      tallies.certificates.set(listener, { startsAt, expiresAt });
    },
    databaseTrouble: (trouble) => {
      tallies.troubles[trouble] += 1;
    },
    text: (figures) =>
      expositionText([...serviceMetrics(tallies, labels, figures), ...processMetrics()]),
    contentType,
  };
}

function requestTally(
  tallies: Tallies,
  listener: ListenerName,
  operations: readonly string[],
): RequestTally {
  const inFlight = { count: 0 };
  tallies.inFlight.set(listener, inFlight);
  const added = [noOperation, ...operations].map((operation) => newOperation(listener, operation));
  tallies.operations.push(...added);
  const byOperation = new Map(added.map((tally) => [tally.operation, tally]));
  const [others] = added;
  return {
    began: () => {
      inFlight.count += 1;
    },
    ended: () => {
      inFlight.count -= 1;
    },
    answered: (operation, status, ms) => {
      const tally = (operation === undefined ? others : byOperation.get(operation)) ?? others;
      if (tally !== undefined) countAnswer(tally, status, ms / 1000);
    },
  };
}
