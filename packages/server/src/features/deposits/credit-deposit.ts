import { maxCents, usdFromCents } from "@ironlease/contract";
import { sql } from "kysely";
import { audit } from "#kernel/audit.ts";
import { systemCall, type Step } from "#kernel/call.ts";
import { addDepositedCoin } from "#kernel/coins.ts";
import { move } from "#kernel/ledger.ts";
import { recordEvent } from "#kernel/outbox/record-event.ts";
import type { Result } from "#ports/result.ts";
import { ok } from "#kernel/result.ts";
import { confirmationsNeeded } from "#kernel/settlement.ts";
import { SettlementFailed, type Rate } from "#ports/settlement.ts";
import { centsOf, coinAmount, shortCoinAmount } from "#kernel/coin-amount.ts";
import type { DueDeposit } from "./due-deposit.ts";
import { mergeMovedOutput } from "./moved-output.ts";
import type { ChainRun } from "./settlement-pass.ts";

/** By then the customer may have spent some of the balance, or an operator may have acted. */
const deferMs = 10 * 60_000;

/** What a deposit is credited as. */
interface Credit {
  readonly cents: number;
  readonly rate: Rate;
  /** At this depth the deposit is final at once. */
  readonly finalDepth: number;
  /** Payouts of the chain spend the outputs that deposits received. */
  readonly spendsOutputs: boolean;
}

/** Credits a payment to the balance, once. False when another pass has credited it, or when it must wait. */
export async function creditDeposit(
  { core, chain }: ChainRun,
  deposit: DueDeposit,
  rate: Rate,
): Promise<boolean> {
  const cents = centsOf(deposit.amountUnits, deposit.decimals, rate.rate);
  if (cents === undefined) {
    throw new SettlementFailed(`the rate of ${deposit.asset} is not a decimal above zero`);
  }
  const { finalDepth } = chain;
  const spendsOutputs = chain.payouts?.format === "psbt";
  if (cents <= BigInt(maxCents)) {
    const terms = chain.assets.get(deposit.asset);
    const needed = terms === undefined ? 0 : confirmationsNeeded(terms, Number(cents));
    const credited = await core.db.write(async (tx) => {
      const step = { tx, core, call: systemCall };
      if (await mergeMovedOutput(step, deposit)) return ok(false);
      if (await raiseRequired(step, deposit, needed)) return ok(false);
      return credit(step, deposit, { cents: Number(cents), rate, finalDepth, spendsOutputs });
    });
    if (credited.ok) return credited.value;
  }
  // The payment, alone or with the present balance, exceeds the maximum balance.
  await core.db.write((tx) => defer({ tx, core, call: systemCall }, deposit, cents));
  return false;
}

/** Larger payments need more confirmations, and their value is known only now. True when this one must wait. */
async function raiseRequired({ tx }: Step, deposit: DueDeposit, needed: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("deposits")
    .set({ confirmations_required: needed })
    .where("id", "=", deposit.id)
    .where("state", "=", "CONFIRMING")
    .where("confirmations_required", "<", needed)
    .where("confirmations", "<", needed)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

async function credit(
  step: Step,
  deposit: DueDeposit,
  { cents, rate: { rate, at, sources }, finalDepth, spendsOutputs }: Credit,
): Promise<Result<boolean>> {
  const { tx, core } = step;
  const claimed = await tx
    .updateTable("deposits")
    .set({
      state: "CREDITED",
      usd_cents: cents,
      rate,
      rate_at: at,
      rate_sources: JSON.stringify(sources),
      credited_confirmations: sql`confirmations`,
      credited_at: core.clock.now(),
      deferred_until: null,
      is_final: sql`case when confirmations >= ${finalDepth} then 1 else 0 end`,
    })
    .where("id", "=", deposit.id)
    .where("account_id", "=", deposit.accountId)
    .where("state", "=", "CONFIRMING")
    .where("is_locked", "=", 0)
    .whereRef("confirmations", ">=", "confirmations_required")
    .returning("confirmations")
    .executeTakeFirst();
  if (claimed === undefined) return ok(false);

  const { asset, network, transactionId, outputIndex } = deposit;
  const amount = coinAmount(deposit.amountUnits, deposit.decimals);
  if (spendsOutputs) await addDepositedCoin(tx, deposit.id);
  if (cents > 0) {
    const moved = await move(step, {
      type: "DEPOSIT",
      accountId: deposit.accountId,
      cents,
      cause: `deposit/${network}/${transactionId}/${outputIndex}`,
      description: `Deposit of ${shortCoinAmount(deposit.amountUnits, deposit.decimals)} ${asset}`,
      reference: { kind: "deposit", id: deposit.id },
      asset,
    });
    if (!moved.ok) return moved;
  }
  const { confirmations } = claimed;
  const paid = { network, transactionId, outputIndex, asset, amount };
  const detail = {
    accountId: deposit.accountId,
    ...paid,
    confirmations,
    rate,
    sources: sources.join(", "),
    cents,
  };
  await audit(step, "deposit.credit", deposit.id, detail);
  const data = {
    depositId: deposit.id,
    asset,
    network,
    amount,
    transactionId,
    usd: usdFromCents(cents),
  };
  await recordEvent(step, { accountId: deposit.accountId, type: "deposit.credited", data });
  return ok(true);
}

/** Only the first deferral is audited. */
async function defer(step: Step, deposit: DueDeposit, cents: bigint): Promise<Result<void>> {
  const { tx, core } = step;
  const waiting = () =>
    tx
      .updateTable("deposits")
      .set({ deferred_until: core.clock.now() + deferMs })
      .where("id", "=", deposit.id)
      .where("account_id", "=", deposit.accountId)
      .where("state", "=", "CONFIRMING");
  const first = await waiting().where("deferred_until", "is", null).executeTakeFirst();
  if (first.numUpdatedRows === 0n) {
    await waiting().execute();
    return ok();
  }
  const { accountId, network, transactionId, outputIndex, asset } = deposit;
  const amount = coinAmount(deposit.amountUnits, deposit.decimals);
  const paid = { accountId, network, transactionId, outputIndex, asset, amount };
  await audit(step, "deposit.too_large", deposit.id, { ...paid, cents: String(cents) });
  return ok();
}
