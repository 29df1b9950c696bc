import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import type { OpenPayout } from "#ports/payouts.ts";
import type { Asset } from "#ports/settlement.ts";

/** The payouts of a chain that have not ended, with what each pays and may cost. */
export async function openPayouts(
  { db }: Pick<Core, "db">,
  network: string,
): Promise<readonly OpenPayout[]> {
  const open = db.read
    .selectFrom("payouts")
    .where("payouts.network", "=", network)
    .where(sql<boolean>`payouts.state in ('PREPARED', 'SIGNED', 'BROADCAST')`);
  const [pins, amounts, fees] = await Promise.all([
    open
      .innerJoin("payout_pins", "payout_pins.payout_id", "payouts.id")
      .select(["payouts.id", "payout_pins.pin"])
      .execute(),
    open
      .innerJoin("payout_withdrawals as paid", "paid.payout_id", "payouts.id")
      .select(["payouts.id", "payouts.asset", "paid.amount_units as units"])
      .execute(),
    open
      .innerJoin("payout_transactions as sent", "sent.payout_id", "payouts.id")
      .select(["payouts.id", "payouts.fee_asset as asset", "sent.fee_units as units"])
      .orderBy("sent.attempt", "desc")
      .execute(),
  ]);
  return [...new Set(pins.map(({ id }) => id))].map((id) => {
    const isOwn = (row: { readonly id: string }) => row.id === id;
    const units = new Map<Asset, bigint>();
    // Only one of its transactions is mined, and the last one has the highest fee.
    for (const row of [...amounts.filter(isOwn), ...fees.filter(isOwn).slice(0, 1)]) {
      const asset = row.asset as Asset;
      units.set(asset, (units.get(asset) ?? 0n) + BigInt(row.units));
    }
    return { pins: pins.filter(isOwn).map(({ pin }) => pin), units };
  });
}
