import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { codeOf, type Answer } from "#test/https-client.ts";
import { readMetrics } from "./metrics.ts";
import { openLoop, openLoopDuring } from "./loops.ts";
import { until } from "./poll.ts";
import type { TestBed } from "./test-bed.ts";
import { recordOutcome, type Outcome } from "./sender.ts";
import { unexpectedOutcomes } from "./sustained.ts";
import { formatPercentiles, Tally } from "./tally.ts";

export interface OutageOptions {
  readonly seconds: number;
  readonly perSecond: number;
  readonly log: (line: string) => void;
}

/** How long requests continue after the outage. Every one of them must get the expected answer. */
const afterSeconds = 3;

/**
 * Makes the database unavailable under load, then available again. During the outage every request gets
 * its expected answer or 503. Afterwards the service recovers without intervention.
 */
export async function databaseOutage(
  testBed: TestBed,
  options: OutageOptions,
): Promise<readonly string[]> {
  const { seconds, perSecond, log } = options;
  const { sender, random, daemon } = testBed;
  const during = new Tally();
  const refused: Outcome[] = [];
  const onOutcome = (outcome: Outcome) => {
    if (isServiceUnavailable(outcome.answer)) refused.push(outcome);
    else recordOutcome(during, outcome);
  };
  const work = async () => {
    const endOutage = await startOutage(testBed);
    await delay(seconds * 1000);
    await endOutage();
    const isHealthy = async () => (await daemon.send("GET", "/api/health")).status === 200;
    await until("the service is healthy again", isHealthy);
  };
  await openLoopDuring(sender, random, perSecond, work, onOutcome);
  const recoveredAt = Date.now() / 1000;
  log(`database outage of ${seconds} s: ${refused.length} answers were 503 service_unavailable`);
  log(`  slowest of them: ${Math.max(0, ...refused.map(({ ms }) => ms)).toFixed(0)} ms`);
  log(`  other answers meanwhile: ${formatPercentiles(during.percentiles())}`);

  const after = new Tally();
  const overAt = performance.now() + afterSeconds * 1000;
  const shouldContinue = () => performance.now() < overAt;
  await openLoop(sender, random, perSecond, shouldContinue, (outcome) =>
    recordOutcome(after, outcome),
  );
  log(`  after the outage: ${formatPercentiles(after.percentiles())}`);
  await until("settlement and renewals have resumed", async () => {
    const { lastPasses } = await readMetrics(daemon.sendToDesk);
    return Object.values(lastPasses).every((at) => at > recoveredAt);
  });
  return [
    ...(refused.length === 0 ? ["no answer during the outage was 503 service_unavailable"] : []),
    ...unexpectedOutcomes(during, "during the outage"),
    ...unexpectedOutcomes(after, "after the outage"),
  ];
}

/** Requires the standard error body and `retry-after`. */
function isServiceUnavailable(answer: Answer | undefined): boolean {
  return (
    answer?.status === 503 &&
    codeOf(answer) === "service_unavailable" &&
    answer.headers["retry-after"] === "1"
  );
}

/** Stops PostgreSQL, or locks SQLite's file from this process. Returns what ends the outage. */
async function startOutage({ postgres, data }: TestBed): Promise<() => Promise<void>> {
  if (postgres !== undefined) {
    await postgres.pause();
    return () => postgres.resume();
  }
  const other = new DatabaseSync(join(data, "ironlease.db"), { timeout: 10_000 });
  other.exec("begin exclusive");
  return async () => {
    other.exec("rollback");
    other.close();
  };
}
