import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { assertEnginesAgree } from "./assert-engines-agree.ts";
import { sqliteRunDatabases, type RunDatabaseFactory } from "./run-database.ts";
import { postgresRunDatabases } from "./postgres-run-database.ts";
import { simulateSeed, traceHash } from "./simulate-seed.ts";
import { Tally } from "./tally.ts";

/** To replay a failed seed, run `npm run simulate -- --seed N`. */
const seeds = 1_000;
const seedsOnPostgres = 6;

let sqlite: RunDatabaseFactory;
let postgres: RunDatabaseFactory;

before(async () => {
  [sqlite, postgres] = await Promise.all([sqliteRunDatabases(), postgresRunDatabases()]);
});

after(async () => {
  await sqlite.close();
  await postgres.close();
});

test("1,000 seeds with concurrent requests, faults and crashes match the model", async () => {
  const half = seeds / 2;
  const output = (await Promise.all([runSeeds(1, half), runSeeds(half + 1, half)])).join("\n");
  for (const fault of ["lost connection at commit", "lost answer", "provider timeout", "crashes"]) {
    assert.match(output, new RegExp(fault), `no run had this fault: ${fault}`);
  }
  for (const state of ["SIGNED", "BROADCAST", "CONFIRMED", "CANCELLED", "FAILED"]) {
    assert.match(output, new RegExp(`payouts .*${state}`), `no payout ended ${state}`);
  }
  for (const by of ["BY_PREPARER", "BY_SECOND_OPERATOR"]) {
    assert.match(output, new RegExp(`broadcasts .*${by}`), `no large payout was sent ${by}`);
  }
  for (const change of ["confirmFactor", "recover", "passkeySignIn", "removePasskey", "close"]) {
    assert.match(output, new RegExp(`access .*${change}`), `no run had this change: ${change}`);
  }
  for (const sale of ["HIDDEN", "LAST_OLD_PRICE", "FIRST_NEW_PRICE"]) {
    assert.match(output, new RegExp(`sales .*${sale}`), `no order was ${sale}`);
  }
  for (const event of ["OFFERED", "ACCEPTED", "CHARGED", "POSTPONED", "EXPIRED"]) {
    assert.match(output, new RegExp(`quotes .*${event}`), `no quote was ${event}`);
  }
});

/** Runs in its own process, because the test runner's promise hooks would double the time. */
async function runSeeds(from: number, count: number): Promise<string> {
  const script = fileURLToPath(new URL("simulate.ts", import.meta.url));
  const range = ["--from", String(from), "--seeds", String(count)];
  const running = spawn(process.execPath, [script, ...range], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  running.stdout.on("data", (text) => (output += String(text)));
  running.stderr.on("data", (text) => (output += String(text)));
  const [code] = (await once(running, "close")) as [number];
  assert.equal(code, 0, output);
  assert.match(output, new RegExp(`${count} of ${count} seeds`));
  return output;
}

test("the same seed gives the same trace and the same final state", async () => {
  for (let seed = 1; seed <= 10; seed += 1) {
    const [first, second] = [
      await simulateSeed(sqlite, seed, new Tally()),
      await simulateSeed(sqlite, seed, new Tally()),
    ];
    assert.equal(traceHash(first), traceHash(second));
    assert.equal(first.stateDigest, second.stateDigest);
  }
});

test("replaying a run's operations gives the same final state on both engines", async () => {
  for (let seed = 1; seed <= seedsOnPostgres; seed += 1) {
    const { log } = await simulateSeed(sqlite, seed, new Tally());
    await assertEnginesAgree([sqlite, postgres], log, new Tally());
  }
});

test("runs with faults and crashes on PostgreSQL match the model", async () => {
  const tally = new Tally();
  for (let seed = 1; seed <= seedsOnPostgres; seed += 1) {
    await simulateSeed(postgres, seed, tally);
  }
  assert.ok(tally.of("faults") > 0);
});
