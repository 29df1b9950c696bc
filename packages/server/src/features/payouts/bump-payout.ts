import { audit } from "#kernel/audit.ts";
import type { OperatorCall } from "#kernel/call.ts";
import { coinAmount } from "#kernel/coin-amount.ts";
import type { Core } from "#kernel/core.ts";
import { ok, refuse } from "#kernel/result.ts";
import { callChain } from "#kernel/settlement.ts";
import type { PreparedPayout } from "#ports/payouts.ts";
import type { Result } from "#ports/result.ts";
import { payoutChain } from "./payout-chain.ts";
import { readPayout, refuseState, refuseUnknown, type PayoutRecord } from "./payout-record.ts";
import {
  addTransaction,
  findPayout,
  lockPayout,
  orderOf,
  transactionsOf,
} from "./payout-transactions.ts";
import { readWallet } from "./payout-wallet.ts";

/** Each raises the fee at least twofold, so more make no sense. */
const mostTransactions = 8;

/**
 * Prepares a replacement with a higher fee for a payout that is not mined. It spends the same pins, so at most one of
 * the two confirms. A replacement that was not sent yet is returned again.
 */
export async function bumpPayout(
  core: Core,
  call: OperatorCall,
  payoutId: string,
): Promise<Result<PayoutRecord>> {
  const drafted = await draftReplacement(core, payoutId);
  return core.db.write(async (tx) => {
    const payout = await lockPayout(tx, payoutId);
    if (payout === undefined) return refuseUnknown();
    if (payout.state !== "BROADCAST") {
      return refuseState(payout.state, "Only a payout that was broadcast can be bumped.");
    }
    if (payout.confirmations > 0) {
      return refuse("conflict", { message: "This payout is already in a block." });
    }
    const last = (await transactionsOf(tx, payout)).at(-1);
    if (last?.sentAt === null) return readPayout(tx, payoutId);
    if (drafted === undefined || last?.attempt !== drafted.replaced) {
      return refuse("conflict", { message: "The payout has changed. Read it again." });
    }
    if (!drafted.result.ok) return drafted.result;
    const attempt = last.attempt + 1;
    if (attempt > mostTransactions) {
      return refuse("conflict", { message: "The fee of this payout was raised too often." });
    }
    await addTransaction(tx, payoutId, attempt, drafted.result.value);
    const fee = coinAmount(drafted.result.value.feeUnits, payout.fee_decimals);
    await audit({ tx, core, call }, "payout.bump", payoutId, { attempt, fee });
    return readPayout(tx, payoutId);
  });
}

interface Replacement {
  readonly replaced: number;
  readonly result: Result<PreparedPayout>;
}

async function draftReplacement(core: Core, payoutId: string): Promise<Replacement | undefined> {
  const payout = await findPayout(core.db.read, payoutId);
  if (payout?.state !== "BROADCAST") return undefined;
  const last = (await transactionsOf(core.db.read, payout)).at(-1);
  if (last === undefined || last.sentAt === null) return undefined;
  const { chain, payouts } = payoutChain(core, payout.network);
  const wallet = await readWallet(core, chain);
  const order = { ...(await orderOf(core.db.read, payout)), replaces: last };
  const result = await callChain(chain, (signal) => payouts.prepare(order, wallet, signal));
  if (result.ok && !isSamePins(result.value.pins, last.pins)) {
    throw new Error(`the replacement of ${payoutId} has other pins`);
  }
  return { replaced: last.attempt, result: result.ok ? ok(result.value) : result };
}

function isSamePins(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join() === other.toSorted().join();
}
