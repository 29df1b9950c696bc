import type { Kysely } from "kysely";
import { usdFromCents } from "@ironlease/contract";
import { unitsOf } from "#kernel/coin-amount.ts";
import type { OperatorCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { freshRate } from "#kernel/fresh-rate.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { ok, refuse, refuseField } from "#kernel/result.ts";
import { connectedAsset } from "#kernel/settlement.ts";
import type { Result } from "#ports/result.ts";
import type { Schema } from "#ports/schema.ts";
import type { Asset, Rate } from "#ports/settlement.ts";
import type { PayoutChain } from "./payout-chain.ts";

export interface OrderedWithdrawal {
  readonly workId: string;
  readonly withdrawalId: string;
  readonly destination: string;
  readonly cents: number;
  readonly amountUnits: bigint;
}

/** Which withdrawals a payout pays, and how much of which asset. */
export interface Order extends PayoutChain {
  readonly asset: Asset;
  readonly decimals: number;
  readonly rate: Rate;
  readonly cents: number;
  readonly withdrawals: readonly OrderedWithdrawal[];
}

/** Reads what the operator wants to pay. The transaction that stores the payout checks the claims again. */
export async function readOrder(
  core: Core,
  call: OperatorCall,
  workIds: readonly string[],
): Promise<Result<Order>> {
  if (new Set(workIds).size !== workIds.length) {
    return refuseField("workIds", "must not repeat an id");
  }
  const reviews = await readReviews(core.db.read, core, call, workIds);
  if (!reviews.ok) return reviews;
  const [first] = reviews.value;
  if (first === undefined) return refuseField("workIds", "must name at least one work item");
  const asset = first.asset as Asset;
  if (reviews.value.some((review) => review.asset !== asset)) {
    return refuseField("workIds", "must be withdrawals of one asset");
  }
  const connected = connectedAsset(core.settlement, asset);
  const payouts = connected?.chain.payouts;
  if (connected === undefined || payouts === undefined) {
    return refuse("conflict", {
      message: `No connected chain prepares payouts in ${asset}. Pay by hand and complete the work item.`,
    });
  }
  if (workIds.length > payouts.maxOutputs) {
    const message = `must be at most ${payouts.maxOutputs}: one ${asset} transaction pays no more`;
    return refuseField("workIds", message);
  }
  const { decimals } = connected.terms;
  const rate = await freshRate(core, asset);
  const withdrawals: OrderedWithdrawal[] = [];
  for (const { workId, withdrawalId, destination, cents } of reviews.value) {
    const amountUnits = unitsOf(cents, decimals, rate.rate) ?? 0n;
    if (amountUnits === 0n) {
      return refuse("conflict", {
        message: `${usdFromCents(cents)} USD is less than the smallest amount of ${asset}.`,
      });
    }
    withdrawals.push({ workId, withdrawalId, destination, cents, amountUnits });
  }
  const cents = withdrawals.reduce((sum, withdrawal) => sum + withdrawal.cents, 0);
  return ok({ chain: connected.chain, payouts, asset, decimals, rate, cents, withdrawals });
}

/** The reviews in the order of the request. The operator must hold a claim on each. */
async function readReviews(
  db: Kysely<Schema>,
  core: Core,
  { operator }: OperatorCall,
  workIds: readonly string[],
) {
  const rows = await db
    .selectFrom("work")
    .innerJoin("withdrawals", "withdrawals.id", "work.withdrawal_id")
    .leftJoin("operators", "operators.id", "work.claimed_by")
    .select([
      "work.id as workId",
      "work.state",
      "work.claimed_by as claimedBy",
      "work.lease_until as leaseUntil",
      "operators.username",
      "withdrawals.id as withdrawalId",
      "withdrawals.asset",
      "withdrawals.destination",
      "withdrawals.cents",
      "withdrawals.payout_id as payoutId",
    ])
    .where("work.id", "in", workIds)
    .execute();
  const found = new Map(rows.map((row) => [row.workId, row]));
  const reviews: typeof rows = [];
  // All ids are checked first: whether an id is wrong does not depend on what other operators do meanwhile.
  for (const [index, workId] of workIds.entries()) {
    const row = found.get(workId);
    if (row === undefined) {
      return refuseField(`workIds.${index}`, "is not a WITHDRAWAL work item");
    }
    reviews.push(row);
  }
  for (const row of reviews) {
    const { workId } = row;
    if (row.payoutId !== null) {
      return refuse("conflict", { message: `Payout ${row.payoutId} pays work item ${workId}.` });
    }
    const isClaimed = row.state === "CLAIMED" && (row.leaseUntil ?? 0) > core.clock.now();
    if (!isClaimed || row.claimedBy !== operator.operatorId) {
      const holder = isClaimed
        ? `${row.username ?? "Another operator"} has claimed work item ${workId} until ${isoTime(row.leaseUntil ?? 0)}.`
        : `Work item ${workId} is ${row.state === "CLAIMED" ? "no longer claimed" : row.state}. Claim it first.`;
      return refuse("conflict", { message: holder });
    }
  }
  return ok(reviews);
}
