import { audit } from "#kernel/audit.ts";
import type { Step } from "#kernel/call.ts";
import type { DueDeposit } from "./due-deposit.ts";

/**
 * Prevents a second credit when a reorganization changed the index of an output. A transaction is in one block only,
 * so a credited deposit of the same transaction, recipient and amount that is lost or in another block is this
 * payment under its old index. The credited deposit takes over the new index and block. True when there was one.
 */
export async function mergeMovedOutput(step: Step, deposit: DueDeposit): Promise<boolean> {
  const { tx } = step;
  const current = await tx
    .selectFrom("deposits")
    .select(["address", "block_hash", "block_height", "confirmations"])
    .where("id", "=", deposit.id)
    .where("state", "=", "CONFIRMING")
    .forUpdate()
    .executeTakeFirst();
  // Without blocks there is nothing to compare: two equal outputs of one transaction are two payments.
  if (current === undefined || current.block_hash === null) return false;
  const credited = await tx
    .selectFrom("deposits")
    .select(["id", "output_index as outputIndex"])
    .where("network", "=", deposit.network)
    .where("transaction_id", "=", deposit.transactionId)
    .where("asset", "=", deposit.asset)
    .where("address", "=", current.address)
    .where("amount_units", "=", String(deposit.amountUnits))
    .where("state", "=", "CREDITED")
    .where((eb) =>
      eb.or([eb("lost_at", "is not", null), eb("block_hash", "<>", current.block_hash)]),
    )
    .orderBy("output_index")
    .forUpdate()
    .executeTakeFirst();
  if (credited === undefined) return false;

  await tx.deleteFrom("deposits").where("id", "=", deposit.id).execute();
  const { block_hash, block_height, confirmations } = current;
  const { outputIndex } = deposit;
  await tx
    .updateTable("deposits")
    .set({ output_index: outputIndex, block_hash, block_height, confirmations, lost_at: null })
    .where("id", "=", credited.id)
    .execute();
  const { accountId, network, transactionId } = deposit;
  const moved = { accountId, network, transactionId, from: credited.outputIndex, to: outputIndex };
  await audit(step, "deposit.move_output", credited.id, moved);
  return true;
}
