import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { codeOf, type Answer } from "#test/https-client.ts";
import { readFigures } from "./figures.ts";
import { openLoop, openLoopDuring } from "./loops.ts";
import { until } from "./poll.ts";
import type { Place } from "./place.ts";
import { count, type Outcome } from "./sender.ts";
import { unexpectedIn } from "./sustained.ts";
import { describe, Tally } from "./tally.ts";

export interface AwayOptions {
  readonly seconds: number;
  readonly perSecond: number;
  readonly say: (line: string) => void;
}

/** How long requests go on after the return, and every one of them must be answered as ever. */
const afterSeconds = 3;

/**
 * The database goes away under load and comes back: meanwhile a request is answered as ever or told so,
 * and afterwards everything goes on, without anybody touching the service.
 */
export async function databaseAway(place: Place, options: AwayOptions): Promise<readonly string[]> {
  const { seconds, perSecond, say } = options;
  const { sender, random, daemon } = place;
  const away = new Tally();
  const told: Outcome[] = [];
  const onOutcome = (outcome: Outcome) => {
    if (isTold(outcome.answer)) told.push(outcome);
    else count(away, outcome);
  };
  const work = async () => {
    const bringBack = await takeAway(place);
    await delay(seconds * 1000);
    await bringBack();
    const isBack = async () => (await daemon.send("GET", "/api/health")).status === 200;
    await until("the service is back", isBack);
  };
  await openLoopDuring(sender, random, perSecond, work, onOutcome);
  const backAt = Date.now() / 1000;
  say(`away for ${seconds} s: ${told.length} answers of 503 service_unavailable`);
  say(`  the slowest of them after ${Math.max(0, ...told.map(({ ms }) => ms)).toFixed(0)} ms`);
  say(`  others meanwhile: ${describe(away.percentiles())}`);

  const after = new Tally();
  const overAt = performance.now() + afterSeconds * 1000;
  const goesOn = () => performance.now() < overAt;
  await openLoop(sender, random, perSecond, goesOn, (outcome) => count(after, outcome));
  say(`  after its return: ${describe(after.percentiles())}`);
  await until("settlement and renewals have gone on by themselves", async () => {
    const { lastPasses } = await readFigures(daemon.sendToDesk);
    return Object.values(lastPasses).every((at) => at > backAt);
  });
  return [
    ...(told.length === 0 ? ["nobody was told that the database is away"] : []),
    ...unexpectedIn(away, "while the database is away"),
    ...unexpectedIn(after, "after its return"),
  ];
}

/** In the shape of every error, and with the time after which to come again. */
function isTold(answer: Answer | undefined): boolean {
  return (
    answer?.status === 503 &&
    codeOf(answer) === "service_unavailable" &&
    answer.headers["retry-after"] === "1"
  );
}

/** PostgreSQL is stopped; SQLite's file is locked by another process, which this one is. */
async function takeAway({ postgres, data }: Place): Promise<() => Promise<void>> {
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
