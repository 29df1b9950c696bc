import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import type { ChainFigure, UnconfirmedFigure } from "#ports/metrics.ts";

/** How far each connected chain was scanned, and what waits for confirmations, for the metrics. */
export async function readChainFigures(core: Core): Promise<readonly ChainFigure[]> {
  const { settlement, db } = core;
  if (settlement === undefined) return [];
  const cursors = await db.read
    .selectFrom("settlement_cursors")
    .select(["network", "height as scannedHeight", "scanned_at as scannedAt"])
    .where("mode", "=", settlement.mode)
    .execute();
  const unconfirmed = await readUnconfirmed(core);
  return settlement.chains.map(({ network, assets }) => {
    const cursor = cursors.find((row) => row.network === network);
    return {
      network,
      scannedHeight: cursor?.scannedHeight ?? null,
      scannedAt: cursor?.scannedAt ?? null,
      unconfirmed: [...assets.keys()].map((asset) => unconfirmed(network, asset)),
    };
  });
}

/** Sums as floating point: a gauge needs no more, and units exceed 64 bits. */
async function readUnconfirmed({ db }: Core) {
  const rows = await db.read
    .selectFrom("deposits")
    .select(({ fn }) => ["network", "asset", fn.countAll<number>().as("deposits")])
    .select(
      sql<number>`sum(cast(amount_units as double precision) / power(10, amount_decimals))`.as(
        "coins",
      ),
    )
    .where("state", "=", "CONFIRMING")
    .groupBy(["network", "asset"])
    .execute();
  return (network: string, asset: string): UnconfirmedFigure => {
    const row = rows.find((one) => one.network === network && one.asset === asset);
    return { asset, deposits: row?.deposits ?? 0, coins: row?.coins ?? 0 };
  };
}
