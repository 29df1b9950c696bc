import { engines, flag, oneOf, readOptions, whole } from "#test/command-options.ts";
import { assertEnginesEndEqual } from "./both-engines.ts";
import { sqliteGrounds } from "./ground.ts";
import { Failed, simulateSeed, traceHash } from "./simulate-seed.ts";
import { Tally } from "./tally.ts";

const usage = `npm run simulate -- [--seeds 2000] [--from 1] [--engine sqlite|postgres] [--replay]
npm run simulate -- --seed 7

Runs seed after seed until one fails, or one with everything that happens in it. On PostgreSQL one request goes
on at a time. With --replay what each run decided is done again on both engines.`;

const { values } = readOptions(usage, {
  seeds: whole(2_000),
  from: whole(1),
  seed: whole(),
  engine: oneOf(engines, "sqlite"),
  replay: flag,
});

/** How many lines of what happened lead up to a failure. */
const shownLines = 200;
const tellEveryMs = 10_000;

const sqlite = await sqliteGrounds();
// Only when it is asked for: with it comes the test runner, which makes every promise dearer.
const postgres =
  values.engine === "postgres" || values.replay
    ? await (await import("./postgres-grounds.ts")).postgresGrounds()
    : undefined;
const grounds = values.engine === "postgres" ? (postgres ?? sqlite) : sqlite;
const replayOn = values.replay && postgres !== undefined ? [sqlite, postgres] : [];
try {
  if (values.seed === undefined) await runAll(values.from, values.seeds);
  else await showOne(values.seed);
} finally {
  await sqlite.close();
  await postgres?.close();
}

/** One seed, and what was decided in it once more. */
async function runOne(seed: number, tally: Tally) {
  const ended = await simulateSeed(grounds, seed, tally);
  if (replayOn.length > 0) await assertEnginesEndEqual(replayOn, ended.log, new Tally());
  return ended;
}

async function runAll(from: number, seeds: number): Promise<void> {
  const tally = new Tally();
  const startedAt = performance.now();
  let toldAt = startedAt;
  const tell = (done: number) => {
    toldAt = performance.now();
    const seconds = (toldAt - startedAt) / 1000;
    console.log(
      `${done} of ${seeds} seeds in ${seconds.toFixed(0)} s: ${perSecond(done, seconds)}`,
    );
  };
  console.log(`seeds ${from} to ${from + seeds - 1}`);
  for (let done = 0; done < seeds; done += 1) {
    if (performance.now() - toldAt > tellEveryMs) tell(done);
    try {
      await runOne(from + done, tally);
    } catch (error) {
      tellFailure(from + done, error);
      return;
    }
  }
  tell(seeds);
  for (const line of tally.lines()) console.log(line);
}

function perSecond(done: number, seconds: number): string {
  return `${(done / seconds).toFixed(1)} a second`;
}

function tellFailure(seed: number, error: unknown): void {
  const trace = error instanceof Failed ? error.trace : [];
  for (const line of trace.slice(-shownLines)) console.log(line);
  console.error(error);
  console.error(`Seed ${seed} failed. See all of it with: npm run simulate -- --seed ${seed}`);
  process.exitCode = 1;
}

async function showOne(seed: number): Promise<void> {
  const tally = new Tally();
  try {
    const ended = await runOne(seed, tally);
    for (const line of ended.trace) console.log(line);
    console.log(`Seed ${seed} holds. Trace ${traceHash(ended)}, state ${ended.stateDigest}`);
  } catch (error) {
    for (const line of error instanceof Failed ? error.trace : []) console.log(line);
    console.error(error);
    process.exitCode = 1;
  }
}
