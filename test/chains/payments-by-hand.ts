import assert from "node:assert/strict";
import { test } from "node:test";
import type { Engine } from "#server/ports/db.ts";
import { auditOf, messageOf } from "#test/desk.ts";
import { codeOf, valueOf } from "#test/use-cases.ts";
import { claimWork, completeWork, readWork } from "#test/work.ts";
import { openPayoutBed } from "./payout-bed.ts";
import type { PayoutKind } from "./payout-kind.ts";

/** Guarantees of withdrawals that an operator pays with a wallet of their own. */
export function paymentsByHand(payoutKind: PayoutKind, engine: Engine): void {
  test("a transaction completes a withdrawal only if it pays the fixed amount to the destination, once", async (t) => {
    const bed = await openPayoutBed(t, payoutKind, engine);
    const { core, ada, network, kind } = bed;
    const accountId = await bed.funded("1");
    const { workId, destination } = await bed.review(accountId, 40);
    const { detail } = await valueOf(readWork(core, workId));
    assert.deepEqual([detail["amount"], detail["rate"]], [bed.amountOf(40), kind.rate]);
    const pay = async (address: string, coins: string) => {
      const id = await network.pay({ address, coins });
      if (!kind.seesPool) await network.mine();
      return payoutKind.evidence(id);
    };
    const refusedFor = async (transactionId: string, reason: RegExp) => {
      const asked = completeWork(core, ada, workId, {
        transactionId,
        unverified: true,
        note: "I am sure.",
      });
      assert.equal(await codeOf(asked), "conflict");
      assert.match(await messageOf(asked), reason);
    };
    const less = bed.amountOf(40 - 0.000_001);
    await refusedFor(
      await pay(destination, "0.39999999"),
      new RegExp(`pays ${less} ${kind.asset} to`),
    );
    await refusedFor(await pay(await network.foreignAddress(), "0.4"), /pays nothing to/);
    await refusedFor(payoutKind.unknownId, /does not know/);

    const transactionId = await pay(destination, "0.4");
    const done = await valueOf(completeWork(core, ada, workId, { transactionId }));
    assert.deepEqual([done.state, done.outcome], ["DONE", "PAID"]);

    const other = await bed.review(accountId, 1);
    const again = await valueOf(readWork(core, other.workId));
    const both = await pay(other.destination, "0.01");
    assert.equal(again.detail["amount"], bed.amountOf(1));
    await valueOf(completeWork(core, ada, other.workId, { transactionId: both.toUpperCase() }));
    const third = await bed.review(accountId, 1, ada, other.destination);
    const reused = completeWork(core, ada, third.workId, { transactionId: both });
    assert.equal(await codeOf(reused), "conflict");
    assert.match(await messageOf(reused), /already paid another withdrawal/);
  });

  test("a node that cannot be asked is 503, and an operator can vouch for the payment with a note", async (t) => {
    const bed = await openPayoutBed(t, payoutKind, engine, await payoutKind.kind.shared());
    const { core, ada, network } = bed;
    const accountId = await bed.funded("1");
    const { workId, withdrawalId } = await bed.review(accountId, 40);
    const transactionId = payoutKind.unknownId;
    await network.useOtherChain();
    try {
      const asked = completeWork(core, ada, workId, { transactionId });
      assert.equal(await codeOf(asked), "settlement_unavailable");
      const silent = completeWork(core, ada, workId, { transactionId, unverified: true });
      assert.equal(await codeOf(silent), "validation_failed");
      const vouched = { transactionId, unverified: true, note: "Seen in the explorer." };
      assert.equal((await valueOf(completeWork(core, ada, workId, vouched))).outcome, "PAID");
    } finally {
      await network.useFirstNode();
    }
    const [, action, detail] = (await auditOf(core, withdrawalId)).at(-1) ?? [];
    assert.equal(action, "withdrawal.pay");
    assert.equal((detail as { unverified: boolean }).unverified, true);
  });

  test("the amount stays while the claim is renewed and changes with the next claim", async (t) => {
    const bed = await openPayoutBed(t, payoutKind, engine);
    const { ada, bob } = bed;
    let { rate } = bed.kind;
    const rates = {
      ...bed.core.rates!,
      usdPerCoin: async () => ({
        rate,
        at: bed.core.clock.now(),
        sources: [],
        isSetByOperator: true,
      }),
    };
    const core = { ...bed.core, rates };
    const accountId = await bed.funded("1");
    const { workId } = await bed.review(accountId, 40);
    rate = payoutKind.otherRate;
    const renewed = await valueOf(claimWork(core, ada, workId));
    assert.equal(renewed.detail["amount"], bed.amountOf(40));
    bed.advanceClock(core.rules.leaseMs);
    const claimed = await valueOf(claimWork(core, bob, workId));
    assert.deepEqual(
      [claimed.detail["amount"], claimed.detail["rate"]],
      [bed.amountOf(40, rate), rate],
    );
    bed.advanceClock(core.rules.leaseMs);
    const without = await valueOf(claimWork({ ...core, rates: undefined }, ada, workId));
    assert.deepEqual([without.detail["amount"], without.detail["rate"]], [null, null]);
    assert.match(String(without.detail["amountError"]), /no source of rates/);
  });
}
