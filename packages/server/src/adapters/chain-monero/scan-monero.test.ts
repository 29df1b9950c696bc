import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { skipWithout } from "#test/components.ts";
import { sharedMoneroChain } from "#test/monero-chain.ts";
import { houseKeys } from "#test/monero-keys.ts";
import { openMonero, serversOf } from "#test/monero-adapter.ts";
import { watchMonero } from "#test/monero-watch.ts";

const skip = await skipWithout("monero");
const { signal } = new AbortController();
const farFuture = 100_000;

describe("deposits on a real monerod", { skip }, () => {
  test("the chain describes itself, and the wallet derives the same addresses", async () => {
    const chain = await sharedMoneroChain();
    const adapter = openMonero(serversOf(chain));
    const { network, addressNetwork, publicKey, finalDepth } = adapter;
    assert.deepEqual(
      { network, addressNetwork, publicKey, finalDepth },
      {
        network: "monero-regtest",
        // Regtest has the addresses of mainnet.
        addressNetwork: "main",
        publicKey: houseKeys.address,
        finalDepth: 110,
      },
    );
    assert.deepEqual(adapter.assets.get("XMR")?.decimals, 12);
    assert.throws(() => adapter.addressAt(0, "BTC"), /monero-regtest has no BTC/);
    const { height, behindBlocks, version } = await adapter.health(signal);
    assert.deepEqual([height, behindBlocks], [await chain.tipHeight(), 0]);
    assert.match(version, /^0\.18/);
    // The wallet compares every address that it creates with ours.
    for (const index of [0, 1, 70]) await adapter.prepareAddress(index, signal);
    assert.match(adapter.addressAt(0, "XMR"), /^8/);
  });

  test("outputs to one subaddress are one payment, in the pool and in its block", async () => {
    const chain = await sharedMoneroChain();
    const watch = await watchMonero(chain);
    const [one, other] = [watch.issue(), watch.issue()];
    const transactionId = await chain.pay([
      { address: one, coins: "1" },
      { address: one, coins: "0.5" },
      { address: other, coins: "0.000000000001" },
    ]);
    const expected = (confirmations: number) => [
      [one, 1_500_000_000_000n, confirmations, false],
      [other, 1n, confirmations, false],
    ];
    const seen = () =>
      watch.outputs
        .map((output) => [
          output.address,
          output.amountUnits,
          output.confirmations,
          output.isLocked,
        ])
        .toSorted(([a]) => (a === one ? -1 : 1));
    await watch.catchUp();
    assert.deepEqual(seen(), expected(0));
    await chain.mine();
    await watch.catchUp();
    assert.deepEqual(seen(), expected(1));
    assert.ok(watch.outputs.every((output) => output.transactionId === transactionId));
    await chain.mine();
    await watch.catchUp();
    assert.deepEqual(seen(), expected(2));
  });

  test("a payment that its sender has locked stays locked, however many confirmations it has", async () => {
    const chain = await sharedMoneroChain();
    const watch = await watchMonero(chain);
    const payment = { address: watch.issue(), coins: "0.25" };
    await chain.pay([payment], { unlock_time: farFuture });
    await watch.catchUp();
    assert.deepEqual([watch.outputs[0]?.confirmations, watch.outputs[0]?.isLocked], [0, true]);
    await chain.mine(2);
    await watch.catchUp();
    assert.deepEqual([watch.outputs[0]?.confirmations, watch.outputs[0]?.isLocked], [2, true]);
  });

  test("nothing is trusted while the wallet is ahead of the daemon, and a payment that vanished is gone", async () => {
    const chain = await sharedMoneroChain();
    const watch = await watchMonero(chain);
    await chain.pay([{ address: watch.issue(), coins: "0.25" }]);
    await chain.mine(3);
    await watch.catchUp();
    assert.equal(watch.outputs[0]?.confirmations, 3);
    const behind = watch.cursor;

    await chain.removeBlocks(3);
    await chain.daemon.rpc("flush_txpool");
    const late = openMonero(serversOf(chain), { birthHeight: (await chain.tipHeight()) - 1 });
    const own = { among: async () => new Set<string>() };
    await assert.rejects(late.scan(undefined, own, signal), {
      name: "SettlementUnavailable",
      message: /ahead of the daemon/,
    });
    await watch.scan();
    assert.deepEqual([watch.cursor, watch.outputs[0]?.isGone], [behind, false]);
    assert.equal((await watch.chain.health(signal)).behindBlocks, 3);

    await chain.mine(4);
    await watch.catchUp();
    assert.equal(watch.outputs[0]?.isGone, true);
    assert.equal((await watch.chain.health(signal)).behindBlocks, 0);
  });

  test("a chain that has not reached the birth height is unavailable", async () => {
    const adapter = openMonero(serversOf(await sharedMoneroChain()), { birthHeight: 1_000_000 });
    const own = { among: async () => new Set<string>() };
    await assert.rejects(adapter.scan(undefined, own, signal), {
      name: "SettlementUnavailable",
      message: /before the birth height 1000000/,
    });
  });

  test("a wrong login is unavailable", async () => {
    const chain = await sharedMoneroChain();
    const adapter = openMonero({ ...serversOf(chain), walletLoginFile: undefined });
    await assert.rejects(adapter.health(signal), {
      name: "SettlementUnavailable",
      message: "The wallet of monero-regtest wants a login. Set walletLoginFile.",
    });
  });
});
