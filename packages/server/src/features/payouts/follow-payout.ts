import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { callChain } from "#kernel/settlement.ts";
import type { PayoutFate } from "#ports/payouts.ts";
import type { Chain } from "#ports/settlement.ts";
import { endPayout } from "./end-payout.ts";
import { payoutChain } from "./payout-chain.ts";
import { findPayout, transactionsOf, type StoredTransaction } from "./payout-transactions.ts";
import { sendTransaction } from "./send-transaction.ts";

interface Followed {
  readonly transaction: StoredTransaction;
  readonly fate: PayoutFate;
}

/** Asks the chain about the transactions of one payout, newest first. At most one of them can be mined. */
export async function followPayout(
  core: Core,
  chain: Chain,
  payoutId: string,
): Promise<"CONFIRMED" | "FAILED" | undefined> {
  const payout = await findPayout(core.db.read, payoutId);
  if (payout?.state !== "BROADCAST") return undefined;
  const { payouts } = payoutChain(core, chain.network);
  const sent = (await transactionsOf(core.db.read, payout)).filter(({ sentAt }) => sentAt !== null);
  const followed: Followed[] = [];
  for (const transaction of sent.toReversed()) {
    const { transactionId = "", raw } = transaction;
    if (raw === null) continue;
    const known = { ...transaction, transactionId, raw };
    const fate = await callChain(chain, (signal) => payouts.fate(known, signal));
    followed.push({ transaction, fate });
    if (fate.kind === "MINED") break;
  }
  const mined = followed.find(({ fate }) => fate.kind === "MINED");
  const last = followed[0];
  if (mined?.fate.kind === "MINED") {
    const { confirmations, block } = mined.fate;
    const isDeep = confirmations >= payout.confirmations_required;
    if (isDeep) return endPayout(core, chain, payout, mined);
    await record(core, payoutId, mined.transaction.attempt, { confirmations, block });
    return undefined;
  }
  if (last === undefined) return undefined;
  const isHopeless = followed.every(
    ({ fate }) => fate.kind === "FAILED" && fate.confirmations >= payout.confirmations_required,
  );
  if (isHopeless) return endPayout(core, chain, payout, last);
  for (const { transaction, fate } of followed) {
    if (fate.kind !== "PENDING") continue;
    const { searchedHeight } = fate;
    await record(core, payoutId, transaction.attempt, { confirmations: 0, searchedHeight });
  }
  // Only the newest is sent again. The network would refuse the ones that it replaces.
  const isForgotten = followed.every(({ fate }) => fate.kind === "PENDING" && !fate.isKnown);
  if (isForgotten) await sendTransaction(core, payoutId, last.transaction);
  return undefined;
}

interface Progress {
  readonly confirmations: number;
  readonly block?: { readonly height: number; readonly hash: string };
  readonly searchedHeight?: number;
}

async function record(
  core: Core,
  payoutId: string,
  attempt: number,
  { confirmations, block, searchedHeight }: Progress,
): Promise<void> {
  await core.db.write(async (tx) => {
    await tx
      .updateTable("payouts")
      .set({ confirmations, ...(confirmations > 0 && { error: null }) })
      .where("id", "=", payoutId)
      .where("state", "=", "BROADCAST")
      .execute();
    await tx
      .updateTable("payout_transactions")
      .set({
        block_height: block?.height ?? null,
        block_hash: block?.hash ?? null,
        ...(searchedHeight !== undefined && { searched_height: searchedHeight }),
      })
      .where("payout_id", "=", payoutId)
      .where("attempt", "=", attempt)
      .execute();
    return ok();
  });
}
