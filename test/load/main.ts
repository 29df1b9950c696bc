import { randomInt } from "node:crypto";
import { engines, oneOf, readOptions, whole } from "#test/command-options.ts";
import { burst } from "./burst.ts";
import { slowClientAttack } from "./slow-client-attack.ts";
import { databaseOutage } from "./database-outage.ts";
import { checkDatabase } from "./check-database.ts";
import { startTestBed } from "./test-bed.ts";
import { startProgress } from "./progress.ts";
import { measureMaximumRate, sustain } from "./sustained.ts";

const usage = `npm run load -- [--minutes 10] [--engine sqlite|postgres] [--seed 7] [--connections 2000]

Runs every load test at full size: maximum and sustained load for the given minutes, a burst of the given
connections, slow clients, a database outage and a check of the database. The other parts add about four
minutes. Exits with 1 and lists the problems if there are any.`;

const { values } = readOptions(usage, {
  minutes: whole(10),
  engine: oneOf(engines, "sqlite"),
  seed: whole(randomInt(2 ** 31)),
  connections: whole(2_000),
});
const { minutes, engine, seed, connections } = values;
const log = startProgress();

log(`${engine}, ${minutes} minutes, seed ${seed}`);
const testBed = await startTestBed({
  engine,
  seed,
  population: {
    accounts: 2_000,
    machines: 100_000,
    renewals: 60 * minutes,
    overMs: 60_000 * (minutes + 3),
  },
});
const problems: string[] = [];
/** A failed part must not stop the others. */
const attempt = async (part: Promise<readonly string[]>) => {
  problems.push(...(await part.catch((error: unknown) => [String(error)])));
};
try {
  log("service started, database populated");
  const { perSecond: maximum, problems: atMaximum } = await measureMaximumRate(testBed, 15);
  problems.push(...atMaximum);
  const steady = maximum * 0.7;
  log(
    `closed loop: ${maximum.toFixed(0)} requests/s at most; open loop: ${steady.toFixed(0)} requests/s`,
  );
  await attempt(
    sustain(testBed, { perSecond: steady, intervals: minutes, intervalSeconds: 60, log }),
  );
  await attempt(burst(testBed, { connections, log }));
  // Well below the maximum, because the remaining parts do not test speed.
  const perSecond = Math.min(50, maximum * 0.2);
  const slow = { perSecond, perKind: 50, idle: 2_000, withinMs: 300_000, log };
  await attempt(slowClientAttack(testBed, slow));
  await attempt(databaseOutage(testBed, { seconds: 30, perSecond, log }));
  await attempt(checkDatabase(testBed));
  log(`${testBed.workload.acknowledged.orders.length} orders acknowledged`);
} finally {
  await testBed.close();
}
for (const problem of problems) log(`PROBLEM: ${problem}`);
log(problems.length === 0 ? "No problems found." : `${problems.length} problems found.`);
process.exit(problems.length === 0 ? 0 : 1);
