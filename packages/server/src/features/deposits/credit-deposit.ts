import { maxCents } from "@ironlease/contract";
import { sql } from "kysely";
import { audit } from "#kernel/audit.ts";
import { systemCall, type Step } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { move } from "#kernel/ledger.ts";
import type { Result } from "#ports/result.ts";
import { ok } from "#kernel/result.ts";
import { SettlementFailed, type Asset } from "#ports/settlement.ts";
import { centsOf, coinAmount } from "./coin-amount.ts";

/** A payment that had enough confirmations when it was read. */
export interface DueDeposit {
  readonly id: string;
  readonly accountId: string;
  readonly asset: Asset;
  readonly network: string;
  readonly transactionId: string;
  readonly outputIndex: number;
  readonly amountUnits: bigint;
  readonly decimals: number;
}

export interface Rate {
  readonly rate: string;
  readonly at: number;
}

/** By then the customer may have spent some of the balance, or an operator may have acted. */
const deferMs = 10 * 60_000;

/** Credits a payment to the balance, once. False when another pass has credited it, or when it must wait. */
export async function creditDeposit(core: Core, deposit: DueDeposit, rate: Rate): Promise<boolean> {
  const cents = centsOf(deposit.amountUnits, deposit.decimals, rate.rate);
  if (cents === undefined) {
    throw new SettlementFailed(`the rate of ${deposit.asset} is not a positive decimal`);
  }
  if (cents <= BigInt(maxCents)) {
    const credited = await core.db.write((tx) =>
      credit({ tx, core, call: systemCall }, deposit, rate, Number(cents)),
    );
    if (credited.ok) return credited.value;
  }
  // The payment, alone or with the present balance, exceeds the maximum balance.
  await core.db.write((tx) => defer({ tx, core, call: systemCall }, deposit, cents));
  return false;
}

async function credit(
  step: Step,
  deposit: DueDeposit,
  { rate, at }: Rate,
  cents: number,
): Promise<Result<boolean>> {
  const { tx, core } = step;
  const claimed = await tx
    .updateTable("deposits")
    .set({
      state: "CREDITED",
      usd_cents: cents,
      rate,
      rate_at: at,
      credited_confirmations: sql`confirmations`,
      credited_at: core.clock.now(),
      deferred_until: null,
    })
    .where("id", "=", deposit.id)
    .where("account_id", "=", deposit.accountId)
    .where("state", "=", "CONFIRMING")
    .whereRef("confirmations", ">=", "confirmations_required")
    .returning("confirmations")
    .executeTakeFirst();
  if (claimed === undefined) return ok(false);

  const { asset, network, transactionId, outputIndex } = deposit;
  const amount = coinAmount(deposit.amountUnits, deposit.decimals);
  if (cents > 0) {
    const moved = await move(step, {
      type: "DEPOSIT",
      accountId: deposit.accountId,
      cents,
      cause: `deposit/${network}/${transactionId}/${outputIndex}`,
      description: `Deposit of ${amount} ${asset}`,
      reference: { kind: "deposit", id: deposit.id },
      asset,
    });
    if (!moved.ok) return moved;
  }
  const { confirmations } = claimed;
  const paid = { network, transactionId, outputIndex, asset, amount };
  const detail = { accountId: deposit.accountId, ...paid, confirmations, rate, cents };
  await audit(step, "deposit.credit", deposit.id, detail);
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
