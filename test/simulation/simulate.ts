import { engines, flag, oneOf, readOptions, whole } from "#test/command-options.ts";
import { assertEnginesAgree } from "./assert-engines-agree.ts";
import { sqliteRunDatabases } from "./run-database.ts";
import { RunFailed, simulateSeed, traceHash } from "./simulate-seed.ts";
import { Tally } from "./tally.ts";

const usage = `npm run simulate -- [--seeds 2000] [--from 1] [--engine sqlite|postgres] [--replay]
npm run simulate -- --seed 7

Runs one seed after another until one fails. With --seed, runs one seed and prints its trace. On PostgreSQL, requests
run one at a time. With --replay, repeats the operations of each run in the same order on both engines.`;

const { values } = readOptions(usage, {
  seeds: whole(2_000),
  from: whole(1),
  seed: whole(),
  engine: oneOf(engines, "sqlite"),
  replay: flag,
});

/** Number of trace lines printed before a failure. */
const shownLines = 200;
const progressIntervalMs = 10_000;

const sqlite = await sqliteRunDatabases();
// Imported only when needed, because it loads the test runner, whose promise hooks slow the simulation down.
const postgres =
  values.engine === "postgres" || values.replay
    ? await (await import("./postgres-run-database.ts")).postgresRunDatabases()
    : undefined;
const databaseFactory = values.engine === "postgres" ? (postgres ?? sqlite) : sqlite;
const replayOn = values.replay && postgres !== undefined ? [sqlite, postgres] : [];
try {
  if (values.seed === undefined) await runAll(values.from, values.seeds);
  else await showOne(values.seed);
} finally {
  await sqlite.close();
  await postgres?.close();
}

async function runOne(seed: number, tally: Tally) {
  const result = await simulateSeed(databaseFactory, seed, tally);
  if (replayOn.length > 0) await assertEnginesAgree(replayOn, result.log, new Tally());
  return result;
}

async function runAll(from: number, seeds: number): Promise<void> {
  const tally = new Tally();
  const startedAt = performance.now();
  let reportedAt = startedAt;
  const reportProgress = (done: number) => {
    reportedAt = performance.now();
    const seconds = (reportedAt - startedAt) / 1000;
    console.log(
      `${done} of ${seeds} seeds in ${seconds.toFixed(0)} s: ${perSecond(done, seconds)}`,
    );
  };
  console.log(`seeds ${from} to ${from + seeds - 1}`);
  for (let done = 0; done < seeds; done += 1) {
    if (performance.now() - reportedAt > progressIntervalMs) reportProgress(done);
    try {
      await runOne(from + done, tally);
    } catch (error) {
      reportFailure(from + done, error);
      return;
    }
  }
  reportProgress(seeds);
  for (const line of tally.lines()) console.log(line);
}

function perSecond(done: number, seconds: number): string {
  return `${(done / seconds).toFixed(1)} per second`;
}

function reportFailure(seed: number, error: unknown): void {
  const trace = error instanceof RunFailed ? error.trace : [];
  for (const line of trace.slice(-shownLines)) console.log(line);
  console.error(error);
  console.error(
    `Seed ${seed} failed. To print the whole trace: npm run simulate -- --seed ${seed}`,
  );
  process.exitCode = 1;
}

async function showOne(seed: number): Promise<void> {
  const tally = new Tally();
  try {
    const result = await runOne(seed, tally);
    for (const line of result.trace) console.log(line);
    console.log(`Seed ${seed} passed. Trace ${traceHash(result)}, state ${result.stateDigest}`);
  } catch (error) {
    for (const line of error instanceof RunFailed ? error.trace : []) console.log(line);
    console.error(error);
    process.exitCode = 1;
  }
}
