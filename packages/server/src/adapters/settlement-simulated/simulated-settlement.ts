import type { Db } from "#ports/db.ts";
import type { Random } from "#ports/random.ts";
import { ok } from "#kernel/result.ts";
import {
  SettlementFailed,
  type Asset,
  type Settlement,
  type SettlementNews,
  type SimulatedPayments,
} from "#ports/settlement.ts";
import { randomText } from "./random-text.ts";
import { simulatedAssets } from "./simulated-assets.ts";
import { createSimulatedPayments } from "./simulated-payments.ts";

/** The maximum number of outputs that one call of `watch` returns. */
const pageLength = 100;

export interface SimulatedSettlement extends Settlement {
  readonly payments: SimulatedPayments;
  /** Makes the next call fail with this error, as a real provider sometimes does. */
  failNext(call: "createAddress" | "watch", error: Error): void;
}

/**
 * A provider that stores its chain in a few tables, so payments survive restarts and every instance sees them.
 * Its addresses are valid on no real network, so no one can lose coins to a preview.
 */
export function createSimulatedSettlement(db: Db, random: Random): SimulatedSettlement {
  const failures = new Map<string, Error>();
  const failIfInjected = (call: string) => {
    const failure = failures.get(call);
    failures.delete(call);
    if (failure !== undefined) throw failure;
  };
  return {
    mode: "SIMULATED",
    assets: simulatedAssets,
    answerMs: 15_000,
    createAddress: async (asset, reference) => {
      failIfInjected("createAddress");
      return (
        (await findAddress(db, asset, reference)) ?? createAddress(db, random, asset, reference)
      );
    },
    watch: async (network, cursor) => {
      failIfInjected("watch");
      return newsSince(db, network, cursor);
    },
    payments: createSimulatedPayments(db, random),
    failNext: (call, error) => failures.set(call, error),
  };
}

async function findAddress(
  { read }: Pick<Db, "read">,
  asset: Asset,
  reference: string,
): Promise<string | undefined> {
  const found = await read
    .selectFrom("simulated_addresses")
    .select(["asset", "address"])
    .where("reference", "=", reference)
    .executeTakeFirst();
  if (found !== undefined && found.asset !== asset) {
    throw new SettlementFailed("the reference already has an address for another asset");
  }
  return found?.address;
}

/** If another caller inserts the same reference first, this one inserts nothing and returns that address. */
async function createAddress(
  db: Db,
  random: Random,
  asset: Asset,
  reference: string,
): Promise<string> {
  const address = `sim-${asset.toLowerCase()}-${randomText(random)}`;
  const stored = await db.write(async (tx) => {
    await tx
      .insertInto("simulated_addresses")
      .values({ reference, asset, address })
      .onConflict((conflict) => conflict.column("reference").doNothing())
      .execute();
    return ok(await findAddress({ read: tx }, asset, reference));
  });
  if (!stored.ok || stored.value === undefined) throw new SettlementFailed("no address was stored");
  return stored.value;
}

async function newsSince(
  db: Db,
  network: string,
  cursor: string | undefined,
): Promise<SettlementNews> {
  const after = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isSafeInteger(after))
    throw new SettlementFailed("the cursor belongs to another provider");
  const assets = [...simulatedAssets].filter(([, settlement]) => settlement.network === network);
  if (assets.length === 0) throw new SettlementFailed(`there is no network ${network}`);
  const rows = await db.read
    .selectFrom("simulated_payments")
    .selectAll()
    .where("revision", ">", after)
    .where(
      "asset",
      "in",
      assets.map(([asset]) => asset),
    )
    .orderBy("revision")
    .limit(pageLength + 1)
    .execute();
  const page = rows.slice(0, pageLength);
  return {
    cursor: String(page.at(-1)?.revision ?? after),
    outputs: page.map((row) => ({
      asset: row.asset as Asset,
      address: row.address,
      transactionId: row.transaction_id,
      outputIndex: row.output_index,
      amountUnits: BigInt(row.amount_units),
      confirmations: row.confirmations,
      isGone: row.is_gone === 1,
    })),
    hasMore: rows.length > pageLength,
  };
}
