import { audit } from "#kernel/audit.ts";
import type { Keyed, OperatorCall, Step } from "#kernel/call.ts";
import { coinAmount } from "#kernel/coin-amount.ts";
import type { Core } from "#kernel/core.ts";
import { freshRate } from "#kernel/fresh-rate.ts";
import { once, type RecordedAnswer } from "#kernel/idempotency.ts";
import { takeChangeIndex } from "#kernel/keychains.ts";
import { ok, refuse } from "#kernel/result.ts";
import { callChain, confirmationsNeeded } from "#kernel/settlement.ts";
import { assignToPayout } from "#kernel/withdrawals.ts";
import { lockHeldItem } from "#kernel/work-queue/items.ts";
import type { PreparedPayout } from "#ports/payouts.ts";
import type { Result } from "#ports/result.ts";
import { SettlementUnavailable, type Asset } from "#ports/settlement.ts";
import { lapsePayouts } from "./cancel-payout.ts";
import { readOrder, type Order } from "./payout-order.ts";
import { readPayout, type PayoutRecord } from "./payout-record.ts";
import { addPins, addTransaction } from "./payout-transactions.ts";
import { readWallet } from "./payout-wallet.ts";

/** An unsigned payout lapses, because its rate gets old. */
const unsignedMs = 30 * 60_000;
/** How often a payout is built again when another one takes the same coins first. */
const mostTries = 3;

interface Draft {
  readonly order: Order;
  readonly prepared: PreparedPayout;
  readonly fee: { readonly decimals: number; readonly rate: string | null };
}

/** Wraps the record of a payout for the stored answer. */
export type PayoutAnswer<Body> = (record: PayoutRecord) => Body;

/**
 * Builds an unsigned transaction that pays withdrawals, and pins what it spends before the transaction is handed out.
 * The chain is asked outside the database transaction, whose constraints decide between concurrent payouts.
 */
export async function preparePayout<Body extends object>(
  core: Core,
  call: Keyed<OperatorCall>,
  workIds: readonly string[],
  answer: PayoutAnswer<Body>,
): Promise<Result<RecordedAnswer<Body>>> {
  const request = { workIds: workIds.toSorted().join() };
  for (let attempt = 1; ; attempt += 1) {
    // A repeated key gets its stored answer, whatever the chain says now.
    const [draft] = await Promise.allSettled([draftPayout(core, call, workIds)]);
    let isRaced = false;
    const result = await core.db.write((tx) => {
      const step = { tx, core, call };
      return once(step, request, async () => {
        if (draft.status === "rejected") throw draft.reason as Error;
        if (!draft.value.ok) return draft.value;
        const stored = await store(step, draft.value.value);
        isRaced = stored === "raced";
        if (stored === "raced") {
          return refuse("conflict", {
            message: "Another payout took the same coins. Try again.",
          });
        }
        if (!stored.ok) return stored;
        const record = await readPayout(tx, stored.value);
        if (!record.ok) return record;
        return ok({ status: 201, body: answer(record.value), reference: stored.value });
      });
    });
    if (!isRaced || attempt === mostTries) return result;
  }
}

async function draftPayout(
  core: Core,
  call: OperatorCall,
  workIds: readonly string[],
): Promise<Result<Draft>> {
  const order = await readOrder(core, call, workIds);
  if (!order.ok) return order;
  const { chain, payouts, asset, rate, withdrawals } = order.value;
  await lapsePayouts(core, chain.network);
  const wallet = await readWallet(core, chain);
  const outputs = withdrawals.map(({ destination, amountUnits }) => ({ destination, amountUnits }));
  const prepared = await callChain(chain, (signal) =>
    payouts.prepare({ asset, outputs }, wallet, signal),
  );
  if (!prepared.ok) return prepared;
  const { feeAsset } = prepared.value;
  const decimals = chain.assets.get(feeAsset)?.decimals;
  if (decimals === undefined) throw new Error(`${chain.network} has no ${feeAsset}`);
  const feeRate = feeAsset === asset ? rate.rate : await rateOrNull(core, feeAsset);
  return ok({
    order: order.value,
    prepared: prepared.value,
    fee: { decimals, rate: feeRate },
  });
}

/** Without a rate the fee is recorded without a value in USD. */
async function rateOrNull(core: Core, asset: Asset): Promise<string | null> {
  try {
    return (await freshRate(core, asset)).rate;
  } catch (error) {
    if (error instanceof SettlementUnavailable) return null;
    throw error;
  }
}

/** Returns the new payout's id, or "raced" when another payout has taken the same pins or change address. */
async function store(
  step: Step<OperatorCall>,
  { order, prepared, fee }: Draft,
): Promise<Result<string> | "raced"> {
  const { tx, core, call } = step;
  const { chain, asset, rate, cents, withdrawals } = order;
  const { operatorId } = call.operator;
  for (const { workId } of withdrawals.toSorted((a, b) => (a.workId < b.workId ? -1 : 1))) {
    const held = await lockHeldItem(step, { workId, operatorId });
    if (held === undefined) {
      return refuse("conflict", { message: `You no longer hold work item ${workId}.` });
    }
  }
  const id = core.ids.next("payout");
  const now = core.clock.now();
  const terms = chain.assets.get(asset);
  await tx
    .insertInto("payouts")
    .values({
      id,
      created_at: now,
      network: chain.network,
      asset,
      amount_decimals: order.decimals,
      format: order.payouts.format,
      state: "PREPARED",
      cents,
      rate: rate.rate,
      rate_at: rate.at,
      fee_asset: prepared.feeAsset,
      fee_decimals: fee.decimals,
      fee_rate: fee.rate,
      confirmations_required: terms === undefined ? 1 : confirmationsNeeded(terms, cents),
      expires_at: now + unsignedMs,
      prepared_by: operatorId,
      transaction_id: prepared.transactionId ?? null,
      confirmations: 0,
    })
    .execute();
  const ids = withdrawals.map(({ withdrawalId }) => withdrawalId);
  if (!(await assignToPayout(tx, id, ids))) {
    return refuse("conflict", {
      message: "One of the withdrawals is resolved or part of another payout.",
    });
  }
  await tx
    .insertInto("payout_withdrawals")
    .values(
      withdrawals.map(({ withdrawalId, workId, destination, cents, amountUnits }, position) => ({
        payout_id: id,
        withdrawal_id: withdrawalId,
        position,
        work_id: workId,
        destination,
        cents,
        amount_units: String(amountUnits),
      })),
    )
    .execute();
  const { change } = prepared;
  if (change !== undefined && !(await takeChangeIndex(step, chain, change.index))) return "raced";
  const { network } = chain;
  if (!(await addPins(tx, { id, network }, prepared.pins))) return "raced";
  await addTransaction(tx, id, 1, prepared);
  await audit(step, "payout.prepare", id, {
    asset,
    network,
    cents,
    amount: coinAmount(
      withdrawals.reduce((sum, { amountUnits }) => sum + amountUnits, 0n),
      order.decimals,
    ),
    rate: rate.rate,
    fee: coinAmount(prepared.feeUnits, fee.decimals),
    withdrawals: ids.join(", "),
    transactionId: prepared.transactionId ?? null,
  });
  return ok(id);
}
