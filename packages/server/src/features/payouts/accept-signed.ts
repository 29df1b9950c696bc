import { audit } from "#kernel/audit.ts";
import type { OperatorCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { refuse } from "#kernel/result.ts";
import { callChain } from "#kernel/settlement.ts";
import type { SignedPayout } from "#ports/payouts.ts";
import type { Result } from "#ports/result.ts";
import { hasLapsed } from "./cancel-payout.ts";
import { payoutChain } from "./payout-chain.ts";
import { readPayout, refuseState, refuseUnknown, type PayoutRecord } from "./payout-record.ts";
import { addPins, findPayout, lockPayout, orderOf, transactionsOf } from "./payout-transactions.ts";

/** Stores the signed bytes if they differ from the prepared transaction in their signatures only. Sends nothing. */
export async function acceptSigned(
  core: Core,
  call: OperatorCall,
  { payoutId, signed }: { readonly payoutId: string; readonly signed: string },
): Promise<Result<PayoutRecord>> {
  const read = await readSigned(core, payoutId, signed);
  return core.db.write(async (tx) => {
    const payout = await lockPayout(tx, payoutId);
    if (payout === undefined || read === undefined) return refuseUnknown();
    if (payout.state !== "PREPARED" && payout.state !== "SIGNED" && payout.state !== "BROADCAST") {
      return refuseState(payout.state, "Nothing is left to sign.");
    }
    const now = core.clock.now();
    if (hasLapsed(payout, now)) {
      return refuse("conflict", {
        message: "This payout was not signed in time. Prepare another one.",
      });
    }
    if (!read.result.ok) return read.result;
    const { transactionId, raw, pins = [] } = read.result.value;
    const last = (await transactionsOf(tx, payout)).at(-1);
    if (last?.attempt !== read.attempt) {
      return refuse("conflict", { message: "The payout has changed. Read it again." });
    }
    if (last.raw !== null) {
      if (last.raw === raw) return readPayout(tx, payoutId);
      return refuse("conflict", { message: "This payout is already signed." });
    }
    if (!(await addPins(tx, payout, pins))) {
      return refuse("conflict", {
        message: "Another payout has spent the same coins. Cancel this one and prepare another.",
      });
    }
    await tx
      .updateTable("payout_transactions")
      .set({ raw, transaction_id: transactionId })
      .where("payout_id", "=", payoutId)
      .where("attempt", "=", read.attempt)
      .execute();
    if (payout.state === "PREPARED") {
      await tx
        .updateTable("payouts")
        .set({
          state: "SIGNED",
          signed_by: call.operator.operatorId,
          transaction_id: transactionId,
        })
        .where("id", "=", payoutId)
        .execute();
    }
    const detail = { transactionId, attempt: read.attempt };
    await audit({ tx, core, call }, "payout.sign", payoutId, detail);
    return readPayout(tx, payoutId);
  });
}

interface ReadSigned {
  readonly attempt: number;
  readonly result: Result<SignedPayout>;
}

/** Outside the transaction, because some chains ask a wallet. */
async function readSigned(
  core: Core,
  payoutId: string,
  signed: string,
): Promise<ReadSigned | undefined> {
  const payout = await findPayout(core.db.read, payoutId);
  if (payout === undefined) return undefined;
  const last = (await transactionsOf(core.db.read, payout)).at(-1);
  if (last === undefined) return undefined;
  const { chain, payouts } = payoutChain(core, payout.network);
  const order = await orderOf(core.db.read, payout);
  const result = await callChain(chain, (signal) => payouts.accept(last, signed, order, signal));
  return { attempt: last.attempt, result };
}
