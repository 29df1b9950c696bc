import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { callChain } from "#kernel/settlement.ts";
import { SettlementFailed, SettlementUnavailable } from "#ports/settlement.ts";
import { payoutChain } from "./payout-chain.ts";
import { findPayout, type StoredTransaction } from "./payout-transactions.ts";

/** Sends the stored bytes, any number of times, and records why the node did not take them. */
export async function sendTransaction(
  core: Core,
  payoutId: string,
  { raw, attempt }: StoredTransaction,
): Promise<void> {
  const payout = await findPayout(core.db.read, payoutId);
  if (payout === undefined || raw === null) return;
  const error = await send(core, payout.network, raw);
  if (error === payout.error) return;
  await core.db.write(async (tx) => {
    await tx
      .updateTable("payouts")
      .set({ error })
      .where("id", "=", payoutId)
      .where("state", "=", "BROADCAST")
      // A later transaction of the payout has its own result.
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom("payout_transactions as later")
              .select("later.attempt")
              .where("later.payout_id", "=", payoutId)
              .where("later.attempt", ">", attempt)
              .where("later.sent_at", "is not", null),
          ),
        ),
      )
      .execute();
    return ok();
  });
}

async function send(core: Core, network: string, raw: string): Promise<string | null> {
  try {
    const { chain, payouts } = payoutChain(core, network);
    const outcome = await callChain(chain, (signal) => payouts.broadcast(raw, signal));
    return typeof outcome === "string" ? null : outcome.rejected;
  } catch (error) {
    if (error instanceof SettlementUnavailable || error instanceof SettlementFailed) {
      return error.message;
    }
    throw error;
  }
}
