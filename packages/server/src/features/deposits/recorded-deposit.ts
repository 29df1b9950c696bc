import { audit } from "#kernel/audit.ts";
import type { Step } from "#kernel/call.ts";
import type { Tx } from "#ports/db.ts";
import type { Chain, ChainCursor, OutputKey } from "#ports/settlement.ts";

/** A deposit as last recorded. */
export interface RecordedDeposit {
  readonly id: string;
  readonly accountId: string;
  readonly asset: string;
  readonly address: string;
  readonly amountUnits: string;
  readonly confirmations: number;
  readonly confirmationsRequired: number;
  readonly state: "CONFIRMING" | "CREDITED";
  readonly blockHash: string | null;
  readonly isLocked: number;
  readonly isFinal: number;
  readonly lostAt: number | null;
}

/** What recording one output changed. */
export interface OutputChange {
  readonly isSeen: boolean;
  readonly isGone: boolean;
}

/** Locked, because another instance may be crediting it. */
export function lockDeposit(
  tx: Tx,
  network: string,
  { transactionId, outputIndex }: OutputKey,
): Promise<RecordedDeposit | undefined> {
  return tx
    .selectFrom("deposits")
    .select([
      "id",
      "account_id as accountId",
      "asset",
      "address",
      "amount_units as amountUnits",
      "confirmations",
      "confirmations_required as confirmationsRequired",
      "state",
      "block_hash as blockHash",
      "is_locked as isLocked",
      "is_final as isFinal",
      "lost_at as lostAt",
    ])
    .where("network", "=", network)
    .where("transaction_id", "=", transactionId)
    .where("output_index", "=", outputIndex)
    .forUpdate()
    .executeTakeFirst();
}

/** Where an output is now. */
export interface Standing {
  readonly block: ChainCursor | undefined;
  readonly confirmations: number;
  readonly isLocked: boolean;
}

/**
 * Updates a deposit to where its output is now. A credit is never reverted automatically: when a credited payment no
 * longer has the confirmations it needed, the loss is audited once and an operator decides.
 */
export async function updateDeposit(
  step: Step,
  chain: Chain,
  deposit: RecordedDeposit,
  { key, standing }: { readonly key: OutputKey; readonly standing: Standing },
): Promise<void> {
  const { block, confirmations, isLocked } = standing;
  const isShort = confirmations < deposit.confirmationsRequired;
  const isLost = deposit.state === "CREDITED" && isShort && confirmations < deposit.confirmations;
  const lostAt = lostSince(deposit, { isLost, isShort }, step.core.clock.now());
  const isFinal = deposit.state === "CREDITED" && confirmations >= chain.finalDepth ? 1 : 0;
  const isSame =
    confirmations === deposit.confirmations &&
    (block?.hash ?? null) === deposit.blockHash &&
    Number(isLocked) === deposit.isLocked &&
    lostAt === deposit.lostAt &&
    isFinal === deposit.isFinal;
  if (isSame) return;
  await step.tx
    .updateTable("deposits")
    .set({
      confirmations,
      block_hash: block?.hash ?? null,
      block_height: block?.height ?? null,
      is_locked: Number(isLocked),
      is_final: isFinal,
      lost_at: lostAt,
    })
    .where("id", "=", deposit.id)
    .execute();
  // Confirmations may come and go several times before the payment has enough again.
  if (isLost && deposit.lostAt === null) {
    await auditLoss(step, "deposit.lost_after_credit", deposit, { ...key, confirmations });
  }
}

/** A loss ends when the payment has its confirmations again. */
function lostSince(
  { lostAt }: RecordedDeposit,
  { isLost, isShort }: { readonly isLost: boolean; readonly isShort: boolean },
  now: number,
): number | null {
  if (!isShort) return null;
  return isLost ? (lostAt ?? now) : lostAt;
}

/** Removes a payment that disappeared before it was credited. */
export async function removeDeposit(
  step: Step,
  deposit: RecordedDeposit,
  key: OutputKey & { readonly confirmations: number },
): Promise<void> {
  await step.tx
    .deleteFrom("deposits")
    .where("id", "=", deposit.id)
    .where("state", "=", "CONFIRMING")
    .execute();
  await auditLoss(step, "deposit.remove", deposit, key);
}

function auditLoss(
  step: Step,
  action: "deposit.remove" | "deposit.lost_after_credit",
  deposit: RecordedDeposit,
  { transactionId, outputIndex, confirmations }: OutputKey & { readonly confirmations: number },
): Promise<void> {
  const { accountId, asset, amountUnits, confirmationsRequired } = deposit;
  const paid = { accountId, asset, amountUnits, transactionId, outputIndex };
  return audit(step, action, deposit.id, { ...paid, confirmations, confirmationsRequired });
}
