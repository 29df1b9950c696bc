import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { watchChain } from "#server/features/deposits/watch-settlement.ts";
import type { Core } from "#server/kernel/core.ts";
import type { Engine } from "#server/ports/db.ts";
import type { Chain } from "#server/ports/settlement.ts";
import type { ChainKind } from "./chain-kind.ts";
import { creditsOf, openBed, type DepositBed } from "./deposit-bed.ts";
import type { CrashingPass } from "./crashing-pass.ts";
import { runUntilKilled } from "./run-until-killed.ts";

const leaseMs = 60_000;
const crashingPass = fileURLToPath(new URL("crashing-pass.ts", import.meta.url));

function runCrashingPass(options: CrashingPass): Promise<NodeJS.Signals> {
  return runUntilKilled(crashingPass, options);
}

function scanCounter(core: Core) {
  const [chain] = core.settlement?.chains ?? [];
  assert.ok(chain !== undefined);
  const counter = { core, scans: 0, chain };
  const scan: Chain["scan"] = (...parameters) => {
    counter.scans += 1;
    return chain.scan(...parameters);
  };
  counter.chain = { ...chain, scan };
  return counter;
}

async function paidTwice(bed: DepositBed) {
  const [ada, ben] = [await bed.customer(), await bed.customer()];
  await bed.network.pay(
    { address: ada.address, coins: "0.1" },
    { address: ben.address, coins: "0.2" },
  );
  await bed.network.mine(2);
  return { ada, ben };
}

export function instances(kind: ChainKind, engine: Engine): void {
  test("kill -9 before each commit of a pass loses nothing and doubles nothing", async (t) => {
    const bed = await openBed(t, kind, engine);
    const { core, location, connection } = bed;
    const { ada, ben } = await paidTwice(bed);
    const crash = { chain: kind.name, engine, location, connection, at: core.clock.now() };
    // The first commit records the scan, the others credit one deposit each.
    for (const [beforeCommit, credits] of [
      [1, 0],
      [2, 0],
      [3, 1],
    ] as const) {
      assert.equal(await runCrashingPass({ ...crash, beforeCommit }), "SIGKILL");
      const credited = await core.db.read
        .selectFrom("deposits")
        .select("id")
        .where("state", "=", "CREDITED")
        .execute();
      assert.equal(credited.length, credits);
    }
    assert.deepEqual(await bed.pass(), { seen: 0, credited: 1, gone: 0 });
    assert.deepEqual(await bed.pass(), { seen: 0, credited: 0, gone: 0 });
    assert.deepEqual(await creditsOf(core, ada.accountId), [1_000]);
    assert.deepEqual(await creditsOf(core, ben.accountId), [2_000]);
  });

  test("of two instances one scans, and the other takes over when the lease expires", async (t) => {
    const bed = await openBed(t, kind, engine);
    const one = scanCounter(bed.core);
    const two = scanCounter(await bed.startInstance());
    const { ada, ben } = await paidTwice(bed);
    const both = [
      () => watchChain(one.core, one.chain, { holder: "one" }),
      () => watchChain(two.core, two.chain, { holder: "two" }),
    ] as const;
    const passes = await Promise.all(both.map((pass) => pass()));
    assert.deepEqual(
      passes.flatMap(({ failures }) => failures),
      [],
    );
    assert.equal(passes[0]!.credited + passes[1]!.credited, 2);
    const [holder, idle] = one.scans > 0 ? [one, two] : [two, one];
    const idlePass = both[idle === one ? 0 : 1];
    assert.equal(idle.scans, 0);
    await idlePass();
    assert.equal(idle.scans, 0);
    bed.advanceClock(leaseMs);
    const before = holder.scans;
    await idlePass();
    assert.ok(idle.scans > 0);
    await both[holder === one ? 0 : 1]();
    assert.equal(holder.scans, before);
    assert.deepEqual(await creditsOf(bed.core, ada.accountId), [1_000]);
    assert.deepEqual(await creditsOf(bed.core, ben.accountId), [2_000]);
  });

  test("two instances without leases credit each deposit once", async (t) => {
    const bed = await openBed(t, kind, engine);
    const { core } = bed;
    const other = await bed.startInstance();
    const { ada, ben } = await paidTwice(bed);
    const passes = await Promise.all([core, other, core, other].map((on) => bed.pass(on)));
    const credited = passes.reduce((sum, pass) => sum + pass.credited, 0);
    assert.equal(credited + (await bed.pass()).credited, 2);
    assert.deepEqual(await creditsOf(core, ada.accountId), [1_000]);
    assert.deepEqual(await creditsOf(core, ben.accountId), [2_000]);
  });
}
