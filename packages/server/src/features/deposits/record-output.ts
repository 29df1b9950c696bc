import { audit } from "#kernel/audit.ts";
import type { Step, TxScope } from "#kernel/call.ts";
import type { Tx } from "#ports/db.ts";
import type { AssetSettlement, SettlementOutput } from "#ports/settlement.ts";

/** A payment as last recorded. */
interface KnownDeposit {
  readonly id: string;
  readonly account_id: string;
  readonly asset: string;
  readonly address: string;
  readonly amount_units: string;
  readonly confirmations: number;
  readonly confirmations_required: number;
  readonly state: "CONFIRMING" | "CREDITED";
}

/** What to do about one reported output. */
interface Decision {
  readonly removes: boolean;
  readonly adds: boolean;
  /** The new number. Undefined when it is unchanged. */
  readonly confirmations: number | undefined;
  /** A credited payment no longer has the confirmations it was credited for. */
  readonly isLost: boolean;
}

const nothing: Decision = { removes: false, adds: false, confirmations: undefined, isLost: false };

/** A credit is never reverted automatically. An operator decides. */
function decide(known: KnownDeposit | undefined, output: SettlementOutput): Decision {
  if (known === undefined) {
    // Zero-value transfers are sent to plant look-alike addresses in transaction histories.
    return { ...nothing, adds: !output.isGone && output.amountUnits > 0n };
  }
  const isSame =
    known.asset === output.asset &&
    known.address === output.address &&
    known.amount_units === String(output.amountUnits);
  if (known.state === "CONFIRMING" && (output.isGone || !isSame)) {
    // After a reorganization, a contract call may pay something else under the same transaction id.
    return { ...nothing, removes: true, adds: !output.isGone && output.amountUnits > 0n };
  }
  const confirmations = output.isGone || !isSame ? 0 : output.confirmations;
  if (confirmations === known.confirmations) return nothing;
  const isLost =
    known.state === "CREDITED" &&
    confirmations < known.confirmations &&
    confirmations < known.confirmations_required;
  return { ...nothing, confirmations, isLost };
}

/** Updates the deposit of one output to what its network reports. */
export async function recordOutput(
  step: Step,
  connected: AssetSettlement,
  output: SettlementOutput,
): Promise<{ readonly isSeen: boolean; readonly isGone: boolean }> {
  const { tx } = step;
  const known = await findDeposit(tx, connected.network, output);
  const decision = decide(known, output);
  if (known !== undefined && decision.removes) {
    await tx
      .deleteFrom("deposits")
      .where("id", "=", known.id)
      .where("state", "=", "CONFIRMING")
      .execute();
    await auditLoss(step, "deposit.remove", known, output);
  }
  if (known !== undefined && decision.confirmations !== undefined) {
    await tx
      .updateTable("deposits")
      .set({ confirmations: decision.confirmations })
      .where("id", "=", known.id)
      .execute();
  }
  if (known !== undefined && decision.isLost) {
    await auditLoss(step, "deposit.lost_after_credit", known, output);
  }
  const isSeen = decision.adds && (await addDeposit(step, connected, output));
  return { isSeen, isGone: decision.removes };
}

/** Locked, because another instance may be crediting it. */
function findDeposit(
  tx: Tx,
  network: string,
  output: SettlementOutput,
): Promise<KnownDeposit | undefined> {
  return tx
    .selectFrom("deposits")
    .select([
      "id",
      "account_id",
      "asset",
      "address",
      "amount_units",
      "confirmations",
      "confirmations_required",
      "state",
    ])
    .where("network", "=", network)
    .where("transaction_id", "=", output.transactionId)
    .where("output_index", "=", output.outputIndex)
    .forUpdate()
    .executeTakeFirst();
}

/** Any asset that arrives at an address we issued on its network is a deposit. */
async function addDeposit(
  { tx, core }: TxScope,
  { network, decimals }: AssetSettlement,
  output: SettlementOutput,
): Promise<boolean> {
  const handedOut = await tx
    .selectFrom("deposit_addresses")
    .select(["id", "account_id", "mode", "confirmations_required"])
    .where("network", "=", network)
    .where("address", "=", output.address)
    .executeTakeFirst();
  if (handedOut === undefined) return false;
  await tx
    .insertInto("deposits")
    .values({
      id: core.ids.next("deposit"),
      account_id: handedOut.account_id,
      address_id: handedOut.id,
      asset: output.asset,
      network,
      mode: handedOut.mode,
      address: output.address,
      transaction_id: output.transactionId,
      output_index: output.outputIndex,
      amount_units: String(output.amountUnits),
      amount_decimals: decimals,
      confirmations: output.confirmations,
      confirmations_required: handedOut.confirmations_required,
      state: "CONFIRMING",
      deferred_until: null,
      credited_confirmations: null,
      usd_cents: null,
      rate: null,
      rate_at: null,
      seen_at: core.clock.now(),
      credited_at: null,
    })
    .execute();
  return true;
}

function auditLoss(
  step: Step,
  action: "deposit.remove" | "deposit.lost_after_credit",
  known: KnownDeposit,
  output: SettlementOutput,
): Promise<void> {
  return audit(step, action, known.id, {
    accountId: known.account_id,
    asset: known.asset,
    amountUnits: known.amount_units,
    transactionId: output.transactionId,
    outputIndex: output.outputIndex,
    confirmations: output.confirmations,
    confirmationsRequired: known.confirmations_required,
    isGone: output.isGone,
  });
}
