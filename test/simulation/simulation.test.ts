import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { assertEnginesEndEqual } from "./both-engines.ts";
import { sqliteGrounds, type Grounds } from "./ground.ts";
import { postgresGrounds } from "./postgres-grounds.ts";
import { simulateSeed, traceHash } from "./simulate-seed.ts";
import { Tally } from "./tally.ts";

/** Replay a seed that failed with `npm run simulate -- --seed`. */
const seeds = 2_000;
const seedsOnPostgres = 6;

let sqlite: Grounds;
let postgres: Grounds;

before(async () => {
  [sqlite, postgres] = await Promise.all([sqliteGrounds(), postgresGrounds()]);
});

after(async () => {
  await sqlite.close();
  await postgres.close();
});

test("2,000 seeds of requests that overlap, fail and are cut off say and leave what the model says", async () => {
  // A process of its own: what the test runner hooks into every promise would make it twice as long.
  const script = fileURLToPath(new URL("simulate.ts", import.meta.url));
  const running = spawn(process.execPath, [script, "--seeds", String(seeds)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let told = "";
  running.stdout.on("data", (text) => (told += String(text)));
  running.stderr.on("data", (text) => (told += String(text)));
  const [code] = (await once(running, "close")) as [number];
  assert.equal(code, 0, told);
  assert.match(told, new RegExp(`${seeds} of ${seeds} seeds`));
  for (const fault of ["lost connection at commit", "lost answer", "provider time-out", "deaths"]) {
    assert.match(told, new RegExp(fault), "what should go wrong does not go wrong");
  }
});

test("the same seed is the same run, to the letter", async () => {
  for (let seed = 1; seed <= 10; seed += 1) {
    const [first, second] = [
      await simulateSeed(sqlite, seed, new Tally()),
      await simulateSeed(sqlite, seed, new Tally()),
    ];
    assert.equal(traceHash(first), traceHash(second));
    assert.equal(first.stateDigest, second.stateDigest);
  }
});

test("what was decided in a run ends equal on both engines when it is done again", async () => {
  for (let seed = 1; seed <= seedsOnPostgres; seed += 1) {
    const { log } = await simulateSeed(sqlite, seed, new Tally());
    await assertEnginesEndEqual([sqlite, postgres], log, new Tally());
  }
});

test("on PostgreSQL faults and deaths leave what the model says too", async () => {
  const tally = new Tally();
  for (let seed = 1; seed <= seedsOnPostgres; seed += 1) {
    await simulateSeed(postgres, seed, tally);
  }
  assert.ok(tally.of("faults") > 0);
});
