import { usdFromCents, type AnswerOf, type Operations } from "@ironlease/contract";
import { acceptSigned } from "#features/payouts/accept-signed.ts";
import { broadcastPayout } from "#features/payouts/broadcast-payout.ts";
import { bumpPayout } from "#features/payouts/bump-payout.ts";
import { cancelPayout } from "#features/payouts/cancel-payout.ts";
import { listPayouts } from "#features/payouts/list-payouts.ts";
import { readPayout, type PayoutRecord } from "#features/payouts/payout-record.ts";
import { preparePayout } from "#features/payouts/prepare-payout.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime, isoTimeOrNull } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import { refusingOutages } from "#kernel/settlement.ts";
import type { Result } from "#ports/result.ts";
import type { Handlers } from "#http/bind.ts";

type Payout = AnswerOf<Operations["readPayout"]>;
type Summary = AnswerOf<Operations["listPayouts"]>["body"]["payouts"][number];

type Payouts =
  | "listPayouts"
  | "readPayout"
  | "preparePayout"
  | "acceptSignedPayout"
  | "broadcastPayout"
  | "bumpPayout"
  | "cancelPayout";

export function payoutHandlers(core: Core): Handlers<Payouts> {
  return {
    listPayouts: async ({ query }) => {
      const payouts = await listPayouts(core, query);
      return ok({
        status: 200,
        body: { payouts: payouts.map(summaryOnWire) },
      });
    },
    readPayout: async ({ parameters }) => answerOf(await readPayout(core.db.read, parameters.id)),
    preparePayout: async ({ core, caller, body }) => {
      const result = await unlessOutage(() =>
        preparePayout(core, caller, body.workIds, payoutOnWire),
      );
      return result.ok ? ok({ ...result.value, status: 201 }) : result;
    },
    acceptSignedPayout: async ({ core, caller, parameters, body }) =>
      answerOf(
        await unlessOutage(() => acceptSigned(core, caller, { ...body, payoutId: parameters.id })),
      ),
    broadcastPayout: async ({ core, caller, parameters }) =>
      answerOf(await unlessOutage(() => broadcastPayout(core, caller, parameters.id))),
    bumpPayout: async ({ core, caller, parameters }) =>
      answerOf(await unlessOutage(() => bumpPayout(core, caller, parameters.id))),
    cancelPayout: async ({ core, caller, parameters, body }) =>
      answerOf(await cancelPayout(core, caller, { ...body, payoutId: parameters.id })),
  };
}

function unlessOutage<T>(call: () => Promise<Result<T>>): Promise<Result<T>> {
  return refusingOutages(call, {
    message: "The node or the rate cannot be asked now, and nothing has changed. Try again later.",
  });
}

function answerOf(result: Result<PayoutRecord>): Result<Payout> {
  return result.ok ? ok({ status: 200, body: payoutOnWire(result.value) }) : result;
}

function payoutOnWire(record: PayoutRecord): Payout["body"] {
  return { ...summaryOnWire(record), unsigned: record.unsigned };
}

function summaryOnWire(record: PayoutRecord): Summary {
  const { bump, withdrawals } = record;
  return {
    id: record.id,
    state: record.state,
    createdAt: isoTime(record.createdAt),
    asset: record.asset,
    network: record.network,
    format: record.format,
    amount: record.amount,
    usd: usdFromCents(record.cents),
    fee: record.fee,
    feeAsset: record.feeAsset,
    rate: record.rate,
    expiresAt: isoTimeOrNull(record.expiresAt),
    preparedBy: record.preparedBy,
    signedBy: record.signedBy,
    broadcastBy: record.broadcastBy,
    broadcastAt: isoTimeOrNull(record.broadcastAt),
    transactionId: record.transactionId,
    from: record.from,
    confirmations: record.confirmations,
    confirmationsRequired: record.confirmationsRequired,
    endedAt: isoTimeOrNull(record.endedAt),
    error: record.error,
    bumpFee: bump?.fee ?? null,
    bumpSigned: bump?.isSigned ?? false,
    withdrawals: withdrawals.map(({ cents, ...withdrawal }) => ({
      ...withdrawal,
      usd: usdFromCents(cents),
    })),
  };
}
