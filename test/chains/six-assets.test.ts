import assert from "node:assert/strict";
import { test } from "node:test";
import { createChains, createRates } from "#server/composition/create-settlement.ts";
import { readSettlementFile } from "#server/composition/settlement-file.ts";
import { watchChain } from "#server/features/deposits/watch-settlement.ts";
import type { Core } from "#server/kernel/core.ts";
import type { Db } from "#server/ports/db.ts";
import type { Asset } from "#server/ports/settlement.ts";
import { skipWithoutAnvil } from "#test/anvil.ts";
import { register } from "#test/bare-core.ts";
import { skipWithout } from "#test/components.ts";
import { addressFor, requestAddress } from "#test/deposits.ts";
import { openEngine } from "#test/engines.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import { codeOf, freshKey } from "#test/use-cases.ts";
import { creditsOf, depositsOf } from "./deposit-bed.ts";
import { createInstance } from "./instance.ts";
import { settlementFileOf, startNodes, type StoppableNode } from "./stoppable-nodes.ts";

const missing = [
  await skipWithout("litecoind"),
  await skipWithout("monero"),
  await skipWithoutAnvil(),
];
const skip = missing.find((reason) => reason !== false) ?? false;
const lagMs = 15 * 60_000;
const leaseMs = 60_000;

/** One pass over all chains at once, as each has its own job. */
async function passOver(core: Core, holder: string) {
  const passes = await Promise.all(
    (core.settlement?.chains ?? []).map(async (chain) => {
      const { credited, failures } = await watchChain(core, chain, { holder });
      return { network: chain.network, credited, failures };
    }),
  );
  return {
    credited: passes.reduce((sum, pass) => sum + pass.credited, 0),
    failures: passes.flatMap(({ network, failures }) =>
      failures.map((error) => `${network} ${(error as Error).name}`),
    ),
  };
}

test(
  "with six assets on four nodes, a stopped node delays its own assets only, and two instances credit each payment once",
  { skip },
  async (t) => {
    const nodes = await startNodes(t);
    const plan = readSettlementFile(settlementFileOf(nodes));
    const opened = await openEngine("postgres");
    t.after(() => opened.dispose());
    let now = Date.UTC(2026, 10, 15, 9, 30);
    const clock = { now: () => now };
    const start = (db: Db): Core => ({
      ...createInstance(db, clock, ...createChains(plan, lagMs)),
      rates: createRates(plan, { db, clock }).rates,
    });
    const [first, second] = [start(opened.db), start(await opened.reopen())];
    const none = { credited: 0, failures: [] };
    assert.deepEqual(await passOver(first, "first"), none);

    const centsOf = new Map(nodes.flatMap(({ cents }) => [...cents]));
    const { accountId } = await register(first);
    const addresses = new Map<Asset, string>();
    for (const asset of centsOf.keys()) {
      addresses.set(asset, await addressFor(first, accountId, asset));
    }
    const payAll = () =>
      Promise.all(nodes.map((node) => node.pay((asset) => addresses.get(asset) ?? "")));
    const payments: number[] = [];
    const assertCredited = async () => {
      const paid = payments.toSorted((a, b) => a - b);
      const credits = await creditsOf(first, accountId);
      assert.deepEqual(
        credits.toSorted((a, b) => a - b),
        paid,
      );
    };

    /** Payments to all assets, while the node of some is stopped before they are credited. */
    const payWhileStopped = async (stopped: StoppableNode, core: Core, holder: string) => {
      await payAll();
      assert.deepEqual(await passOver(core, holder), none);
      await stopped.stop();
      const others = nodes.filter((node) => node !== stopped);
      await Promise.all(others.map((node) => node.mine()));
      const { credited, failures } = await passOver(core, holder);
      assert.deepEqual(failures, [`${stopped.network} SettlementUnavailable`]);
      assert.equal(credited, centsOf.size - stopped.cents.size);
      payments.push(...others.flatMap(({ cents }) => [...cents.values()]));
      await assertCredited();
      const waiting = (await depositsOf(core, accountId)).filter(
        ({ state }) => state !== "CREDITED",
      );
      assert.deepEqual(new Set(waiting.map(({ asset }) => asset)), new Set(stopped.cents.keys()));
      for (const asset of centsOf.keys()) {
        const code = await codeOf(requestAddress(core, accountId, freshKey(), asset));
        assert.equal(code, stopped.cents.has(asset) ? "settlement_unavailable" : "ok", asset);
      }
      await stopped.start();
      await stopped.mine();
      assert.deepEqual(await passOver(core, holder), {
        credited: stopped.cents.size,
        failures: [],
      });
      payments.push(...stopped.cents.values());
      await assertCredited();
    };

    const [bitcoin, litecoin, monero, ethereum] = nodes;
    assert.ok(bitcoin && litecoin && monero && ethereum);
    await payWhileStopped(bitcoin, first, "first");
    await payWhileStopped(litecoin, first, "first");

    // The first instance ends without a word, after payments that it has not credited.
    await payAll();
    await Promise.all(nodes.map((node) => node.mine()));
    assert.deepEqual(await passOver(second, "second"), none);
    await assertCredited();
    now += leaseMs;
    assert.deepEqual(await passOver(second, "second"), { credited: centsOf.size, failures: [] });
    payments.push(...centsOf.values());
    await assertCredited();
    assert.deepEqual(await passOver(first, "first"), none);

    await payWhileStopped(monero, second, "second");
    await payWhileStopped(ethereum, second, "second");
    await assertInvariantsHold(opened.db);
  },
);
