import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { walletPin } from "#server/adapters/chain-monero/payout-wallet.ts";
import { forSlowDaemon } from "#test/engines.ts";
import { openMonero, serversOf } from "#test/monero-adapter.ts";
import { sharedMoneroChain } from "#test/monero-chain.ts";
import { payerKeys } from "#test/monero-keys.ts";
import { messageOf } from "#test/desk.ts";
import { valueOf } from "#test/use-cases.ts";
import { disturbedPayouts } from "./disturbed-payouts.ts";
import { killedBroadcasts } from "./killed-payouts.ts";
import { moneroPayouts } from "./monero-payouts.ts";
import { paidWithdrawals } from "./paid-withdrawals.ts";
import { paymentsByHand } from "./payments-by-hand.ts";

const { name, skip } = moneroPayouts.kind;

forSlowDaemon("sqlite", (engine) => {
  describe(`payouts through ${name}`, { skip }, () => {
    paymentsByHand(moneroPayouts, engine);
    paidWithdrawals(moneroPayouts, engine);
    disturbedPayouts(moneroPayouts, engine);
    killedBroadcasts(moneroPayouts, engine);
  });
});

describe("the view-only wallet and the daemon", { skip }, () => {
  const { signal } = new AbortController();
  const coin = 10n ** 12n;
  const wallet = { taken: new Set<string>(), others: [], coins: [], changeIndex: 0 };
  const orderOf = (amountUnits: bigint) => ({
    asset: "XMR" as const,
    outputs: [{ destination: payerKeys.address, amountUnits }],
  });
  const openPayouts = async () => {
    const chain = await sharedMoneroChain();
    await moneroPayouts.fund(await moneroPayouts.kind.shared(), 100);
    // Payouts of earlier tests may be in the pool, and these tests know nothing of their pins.
    await chain.mine();
    const { payouts } = openMonero(serversOf(chain));
    assert.ok(payouts !== undefined);
    return { chain, payouts };
  };

  test("a payout that cannot be built is refused with the reason", async () => {
    const { payouts } = await openPayouts();
    const tooMuch = payouts.prepare(orderOf(10_000_000n * coin), wallet, signal);
    assert.match(await messageOf(tooMuch), /monero-regtest lacks 99999\d\d\.\d{12} XMR/);
    const busy = { ...wallet, taken: new Set([walletPin]) };
    const second = payouts.prepare(orderOf(coin), busy, signal);
    assert.match(await messageOf(second), /Another payout on monero-regtest is not finished/);
    const replaces = { unsigned: "", pins: [walletPin], feeUnits: 1n, feeAsset: "XMR" as const };
    const bump = payouts.prepare({ ...orderOf(coin), replaces }, wallet, signal);
    assert.match(await messageOf(bump), /cannot be replaced/);
  });

  test("of two signatures of one transfer only one is sent", async () => {
    const { chain, payouts } = await openPayouts();
    const order = orderOf(coin / 10n);
    const prepared = await valueOf(payouts.prepare(order, wallet, signal));
    const accept = async () =>
      valueOf(payouts.accept(prepared, await moneroPayouts.sign(prepared.unsigned), order, signal));
    const [first, second] = [await accept(), await accept()];
    assert.notEqual(first.transactionId, second.transactionId);
    assert.deepEqual(first.pins, second.pins);
    assert.equal(await payouts.rehearse(first.raw, signal), undefined);
    assert.deepEqual(await chain.pool(), [], "a rehearsal leaves nothing with the daemon");
    assert.equal(await payouts.broadcast(first.raw, signal), "SENT");
    assert.equal(await payouts.broadcast(first.raw, signal), "KNOWN");
    assert.match((await payouts.rehearse(second.raw, signal)) ?? "", /spent the same coins/);
    const refused = await payouts.broadcast(second.raw, signal);
    assert.match(typeof refused === "string" ? refused : refused.rejected, /double_spend/);
    await chain.mine();
    assert.equal(await payouts.broadcast(first.raw, signal), "KNOWN");
  });

  test("an id without a key cannot be verified", async () => {
    const { chain, payouts } = await openPayouts();
    const transactionId = await chain.pay([{ address: payerKeys.address, coins: "1" }]);
    const payment = { asset: "XMR" as const, ...orderOf(coin).outputs[0]! };
    await assert.rejects(payouts.verify(transactionId, payment, signal), {
      name: "SettlementUnavailable",
      message: /hides what transaction .* pays/,
    });
    await chain.mine();
  });
});
