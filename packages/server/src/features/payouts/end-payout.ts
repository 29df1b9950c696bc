import { audit } from "#kernel/audit.ts";
import { systemCall, type Step } from "#kernel/call.ts";
import { centsOf } from "#kernel/coin-amount.ts";
import { addChangeCoin, markSpent } from "#kernel/coins.ts";
import type { Core } from "#kernel/core.ts";
import { recordNetworkFee, recordPaidCoins } from "#kernel/house-ledger.ts";
import { ok } from "#kernel/result.ts";
import { correctTransaction } from "#kernel/withdrawals.ts";
import type { PayoutFate, WalletPin } from "#ports/payouts.ts";
import type { Asset, Chain } from "#ports/settlement.ts";
import { lockPayout, type PayoutRow, type StoredTransaction } from "./payout-transactions.ts";

const walletPin: WalletPin = "wallet";

interface Ended {
  readonly transaction: StoredTransaction;
  readonly fate: PayoutFate;
}

/**
 * Ends a payout: CONFIRMED, or FAILED with the evidence. A failed payout leaves its withdrawals as they are. Whether the
 * customers get their money again is for a person to decide.
 */
export async function endPayout(
  core: Core,
  chain: Chain,
  { id }: PayoutRow,
  ended: Ended,
): Promise<"CONFIRMED" | "FAILED" | undefined> {
  const result = await core.db.write(async (tx) => {
    const payout = await lockPayout(tx, id);
    if (payout?.state !== "BROADCAST") return ok(undefined);
    const step = { tx, core, call: systemCall };
    return ok(
      ended.fate.kind === "MINED"
        ? await confirm(step, chain, payout, ended)
        : await fail(step, payout, ended),
    );
  });
  return result.ok ? result.value : undefined;
}

async function confirm(
  step: Step,
  chain: Chain,
  payout: PayoutRow,
  { transaction, fate }: Ended,
): Promise<"CONFIRMED" | undefined> {
  if (fate.kind !== "MINED") return undefined;
  const { tx, core } = step;
  const { id, network } = payout;
  const { transactionId = "", change, pins } = transaction;
  const { confirmations, block } = fate;
  await tx
    .updateTable("payouts")
    .set({
      state: "CONFIRMED",
      ended_at: core.clock.now(),
      transaction_id: transactionId,
      confirmations,
      error: null,
    })
    .where("id", "=", id)
    .execute();
  const feeUnits = fate.feeUnits ?? transaction.feeUnits;
  await tx
    .updateTable("payout_transactions")
    .set({ block_height: block.height, block_hash: block.hash, fee_units: String(feeUnits) })
    .where("payout_id", "=", id)
    .where("attempt", "=", transaction.attempt)
    .execute();
  // The wallet has seen what was spent. The other pins stay, so that no other payout spends it.
  await tx
    .deleteFrom("payout_pins")
    .where("payout_id", "=", id)
    .where("pin", "=", walletPin)
    .execute();
  if (payout.format === "psbt") {
    for (const pin of pins) {
      const [spentId = "", output = ""] = pin.split(":");
      await markSpent(step, network, { transactionId: spentId, outputIndex: Number(output) });
    }
  }
  if (change !== undefined) {
    const asset = payout.asset as Asset;
    const { publicKey } = chain;
    await addChangeCoin(tx, { network, asset, publicKey, transactionId, ...change });
  }
  const paid = await tx
    .selectFrom("payout_withdrawals")
    .select(["withdrawal_id as id", "amount_units as units"])
    .where("payout_id", "=", id)
    .execute();
  await correctTransaction(
    tx,
    id,
    paid.map((withdrawal) => withdrawal.id),
    transactionId,
  );
  await recordPaidCoins(step, {
    network,
    asset: payout.asset as Asset,
    units: paid.reduce((sum, { units }) => sum + BigInt(units), 0n),
    cents: payout.cents,
    reference: { kind: "payout", id },
  });
  await recordFee(step, payout, feeUnits);
  const detail = { transactionId, confirmations, feeUnits: String(feeUnits) };
  await audit(step, "payout.confirm", id, detail);
  return "CONFIRMED";
}

async function fail(
  step: Step,
  payout: PayoutRow,
  { transaction, fate }: Ended,
): Promise<"FAILED" | undefined> {
  if (fate.kind !== "FAILED") return undefined;
  const { tx, core } = step;
  const { id } = payout;
  const { evidence } = fate;
  await tx
    .updateTable("payouts")
    .set({ state: "FAILED", ended_at: core.clock.now(), confirmations: 0, error: evidence })
    .where("id", "=", id)
    .execute();
  await tx.deleteFrom("payout_pins").where("payout_id", "=", id).execute();
  if (fate.feeUnits !== undefined) await recordFee(step, payout, fate.feeUnits);
  const { transactionId = null } = transaction;
  await audit(step, "payout.fail", id, { transactionId, evidence });
  return "FAILED";
}

function recordFee(step: Step, payout: PayoutRow, units: bigint): Promise<void> {
  const { id, network, fee_asset: asset, fee_decimals: decimals, fee_rate: rate } = payout;
  const cents = rate === null ? 0n : (centsOf(units, decimals, rate) ?? 0n);
  return recordNetworkFee(step, {
    network,
    asset: asset as Asset,
    units,
    cents: Number(cents),
    reference: { kind: "payout", id },
  });
}
