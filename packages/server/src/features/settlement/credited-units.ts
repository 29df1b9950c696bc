import { sql, type RawBuilder } from "kysely";
import type { Core } from "#kernel/core.ts";
import type { Asset } from "#ports/settlement.ts";

/** Units are split here before they are summed: SQLite's integers hold nine coins with 18 decimals. */
const lowDigits = 9;
const base = 10n ** BigInt(lowDigits);

const highPart = sql`case when length(amount_units) > ${sql.lit(lowDigits)}
  then substr(amount_units, 1, length(amount_units) - ${sql.lit(lowDigits)}) else '0' end`;
const lowPart = sql`case when length(amount_units) > ${sql.lit(lowDigits)}
  then substr(amount_units, length(amount_units) - ${sql.lit(lowDigits - 1)}) else amount_units end`;

/** As text, because a sum may exceed the integers that JavaScript represents exactly. */
const exactSum = (part: RawBuilder<unknown>) =>
  sql<string | null>`cast(sum(cast(${part} as bigint)) as text)`;

/** The sum of all credited deposits of an asset, in its smallest unit. Read from an index alone. */
export async function creditedUnits({ db }: Core, network: string, asset: Asset): Promise<bigint> {
  const sums = await db.read
    .selectFrom("deposits")
    .select([exactSum(highPart).as("high"), exactSum(lowPart).as("low")])
    .where("network", "=", network)
    .where("asset", "=", asset)
    // A literal, because a parameter would not select the partial index.
    .where(sql<boolean>`state = 'CREDITED'`)
    .executeTakeFirst();
  return BigInt(sums?.high ?? 0) * base + BigInt(sums?.low ?? 0);
}

/** The sum of all coins that left the wallet for payouts and their fees. Read from an index alone. */
export async function spentUnits({ db }: Core, network: string, asset: Asset): Promise<bigint> {
  const sums = await db.read
    .selectFrom("house_entries")
    .select([exactSum(highPart).as("high"), exactSum(lowPart).as("low")])
    .where("network", "=", network)
    .where("asset", "=", asset)
    .executeTakeFirst();
  return BigInt(sums?.high ?? 0) * base + BigInt(sums?.low ?? 0);
}
