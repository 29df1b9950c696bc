import type { Core } from "#server/kernel/core.ts";
import { ok } from "#server/kernel/result.ts";
import { addTestOperator } from "./operators.ts";

/** A cancelled payout of a withdrawal, for reads on chains that prepare none. Resolves to its id. */
export async function addSamplePayout(core: Core): Promise<string> {
  const { operatorId } = await addTestOperator(core, "finance");
  const id = core.ids.next("payout");
  const now = core.clock.now();
  await core.db.write(async (tx) => {
    const paid = await tx
      .selectFrom("withdrawals as d")
      .innerJoin("work as w", "w.withdrawal_id", "d.id")
      .select(["d.id", "d.asset", "d.destination", "d.cents", "w.id as workId"])
      .limit(1)
      .executeTakeFirstOrThrow();
    const { asset, destination, cents } = paid;
    const coin = {
      network: "litecoin-regtest",
      asset,
      amount_decimals: 8,
      format: "psbt",
    } as const;
    const fee = { fee_asset: asset, fee_decimals: 8, fee_rate: "80.00" };
    const end = { state: "CANCELLED", ended_at: now, error: "A sample." } as const;
    await tx
      .insertInto("payouts")
      .values({
        ...{ id, created_at: now, cents, rate: "80.00", rate_at: now },
        ...{ ...coin, ...fee, ...end },
        ...{ confirmations: 0, confirmations_required: 6 },
        ...{ expires_at: now, prepared_by: operatorId },
      })
      .execute();
    await tx
      .insertInto("payout_withdrawals")
      .values({
        ...{ payout_id: id, withdrawal_id: paid.id, position: 0, work_id: paid.workId },
        ...{ destination, cents, amount_units: "1" },
      })
      .execute();
    await tx
      .insertInto("payout_transactions")
      .values({ payout_id: id, attempt: 1, unsigned: "cHNidP8=", fee_units: "1" })
      .execute();
    return ok();
  });
  return id;
}
