import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { abi, contracts, sharedAnvilChain } from "#test/anvil-chain.ts";
import { messageOf } from "#test/desk.ts";
import { forSlowDaemon } from "#test/engines.ts";
import { codeOf, valueOf } from "#test/use-cases.ts";
import { completeWork } from "#test/work.ts";
import { disturbedPayouts } from "./disturbed-payouts.ts";
import { killedBroadcasts } from "./killed-payouts.ts";
import { ethereumPayouts, etherPayouts, tetherPayouts } from "./ethereum-payouts.ts";
import { houseEntriesOf, paidWithdrawals } from "./paid-withdrawals.ts";
import { paymentsByHand } from "./payments-by-hand.ts";
import { openPayoutBed } from "./payout-bed.ts";

const { name, skip } = ethereumPayouts.kind;

forSlowDaemon("postgres", (engine) => {
  describe(`payouts through ${name}`, { skip }, () => {
    paymentsByHand(ethereumPayouts, engine);
    paidWithdrawals(ethereumPayouts, engine);
    disturbedPayouts(ethereumPayouts, engine);
    killedBroadcasts(ethereumPayouts, engine);
  });
});

describe(`payouts of other assets through ${name}`, { skip }, () => {
  for (const payoutKind of [etherPayouts, tetherPayouts]) {
    test(`a payout of ${payoutKind.kind.asset} is paid once, with its fee in ether`, async (t) => {
      const bed = await openPayoutBed(t, payoutKind, "sqlite");
      const review = await bed.review(await bed.funded("1"), 40);
      const signed = await bed.sign(await bed.prepare(bed.ada, review));
      await bed.broadcast(signed, bed.ada);
      await bed.mineAndFollow();
      const { state, amount, fee, feeAsset } = await bed.read(signed);
      assert.deepEqual([state, amount, feeAsset], ["CONFIRMED", bed.amountOf(40), "ETH"]);
      assert.equal(await payoutKind.received(bed.network, review.destination), amount);
      const [, paidFee] = await houseEntriesOf(bed.core, signed.id);
      assert.equal(BigInt(paidFee?.units ?? 0), BigInt(fee.replace(".", "")));
    });
  }

  test("by hand, only a mined transfer of the token's own contract pays, and the contract need not return anything", async (t) => {
    const bed = await openPayoutBed(t, tetherPayouts, "sqlite");
    const { core, ada } = bed;
    const chain = await sharedAnvilChain();
    const { workId, destination } = await bed.review(await bed.funded("1"), 40);
    const payment = { address: destination, units: 40_000_000n };
    const setBlocked = (isBlocked: boolean) =>
      chain.send({
        to: contracts.Usdt,
        data: abi.setBlocked.encodeInput({ to: destination, isBlocked }),
      });
    const refusedFor = async (transactionId: string, reason: RegExp) => {
      const asked = completeWork(core, ada, workId, { transactionId });
      assert.equal(await codeOf(asked), "conflict");
      assert.match(await messageOf(asked), reason);
    };
    await setBlocked(true);
    const reverted = await chain.payTokens(contracts.Usdt, payment);
    await setBlocked(false);
    const others = [
      await chain.payTokens(contracts.LookAlike, payment),
      await chain.payTokens(contracts.Usdc, payment),
      await chain.send({ to: destination, value: 10n ** 18n }),
    ];
    const little = await chain.payTokens(contracts.Usdt, { ...payment, units: 39_999_999n });
    await chain.mine();
    await refusedFor(reverted, /was reverted/);
    for (const other of others) await refusedFor(other, /pays nothing to 0x\w+ in USDT/);
    await refusedFor(
      little,
      /pays 39\.999999 USDT to 0x\w+, but the withdrawal is 40\.000000 USDT/,
    );
    const transactionId = await chain.payTokens(contracts.Usdt, payment);
    await refusedFor(transactionId, /not mined yet/);
    await chain.mine();
    const done = await valueOf(completeWork(core, ada, workId, { transactionId }));
    assert.deepEqual([done.state, done.outcome], ["DONE", "PAID"]);
  });
});
