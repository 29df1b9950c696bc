import type { Step, TxScope } from "#kernel/call.ts";
import { coinAmount } from "#kernel/coin-amount.ts";
import { recordEvent } from "#kernel/outbox/record-event.ts";
import type { Sighting } from "#ports/settlement.ts";
import {
  lockDeposit,
  removeDeposit,
  updateDeposit,
  type OutputChange,
  type RecordedDeposit,
} from "./recorded-deposit.ts";
import type { ChainRun } from "./settlement-pass.ts";

/** Records a payment that a scan reported, for the first time or again. */
export async function recordSighting(
  step: Step,
  { chain }: ChainRun,
  sighting: Sighting,
): Promise<OutputChange> {
  const { block, confirmations, isLocked = false } = sighting;
  const known = await lockDeposit(step.tx, chain.network, sighting);
  if (known === undefined) {
    return { isSeen: await addDeposit(step, chain, sighting), isGone: false };
  }
  if (isSamePayment(known, sighting)) {
    const standing = { block, confirmations, isLocked };
    await updateDeposit(step, chain, known, { key: sighting, standing });
    return { isSeen: false, isGone: false };
  }
  // After a reorganization, a contract call may pay something else under the same transaction id.
  if (known.state === "CREDITED") {
    const standing = { block: undefined, confirmations: 0, isLocked: false };
    await updateDeposit(step, chain, known, { key: sighting, standing });
    return { isSeen: false, isGone: false };
  }
  await removeDeposit(step, known, sighting);
  return { isSeen: await addDeposit(step, chain, sighting), isGone: true };
}

function isSamePayment(known: RecordedDeposit, sighting: Sighting): boolean {
  return (
    known.asset === sighting.asset &&
    known.address === sighting.address &&
    known.amountUnits === String(sighting.amountUnits)
  );
}

/** Any asset that arrives at an address we issued on its network is a deposit. */
async function addDeposit(
  scope: TxScope,
  { network, assets }: ChainRun["chain"],
  sighting: Sighting,
): Promise<boolean> {
  const { tx, core } = scope;
  const terms = assets.get(sighting.asset);
  if (terms === undefined) throw new Error(`${network} reported ${sighting.asset}, which it lacks`);
  // Zero-value transfers are sent to plant look-alike addresses in transaction histories.
  if (sighting.amountUnits <= 0n) return false;
  const issued = await tx
    .selectFrom("deposit_addresses")
    .select(["id", "account_id", "mode", "confirmations_required"])
    .where("network", "=", network)
    .where("address", "=", sighting.address)
    .executeTakeFirst();
  if (issued === undefined) return false;
  const { block, confirmationsNeeded: neededByOutput = 0 } = sighting;
  const id = core.ids.next("deposit");
  await tx
    .insertInto("deposits")
    .values({
      id,
      account_id: issued.account_id,
      address_id: issued.id,
      asset: sighting.asset,
      network,
      mode: issued.mode,
      address: sighting.address,
      transaction_id: sighting.transactionId,
      output_index: sighting.outputIndex,
      amount_units: String(sighting.amountUnits),
      amount_decimals: terms.decimals,
      confirmations: sighting.confirmations,
      confirmations_required: Math.max(issued.confirmations_required, neededByOutput),
      state: "CONFIRMING",
      deferred_until: null,
      credited_confirmations: null,
      usd_cents: null,
      rate: null,
      rate_at: null,
      rate_sources: null,
      seen_at: core.clock.now(),
      credited_at: null,
      block_hash: block?.hash ?? null,
      block_height: block?.height ?? null,
      is_locked: Number(sighting.isLocked ?? false),
      is_final: 0,
      lost_at: null,
    })
    .execute();
  const { asset, transactionId, amountUnits } = sighting;
  const amount = coinAmount(amountUnits, terms.decimals);
  const data = { depositId: id, asset, network, amount, transactionId };
  await recordEvent(scope, { accountId: issued.account_id, type: "deposit.seen", data });
  return true;
}
