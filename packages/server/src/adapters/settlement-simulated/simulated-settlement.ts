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

/** How many outputs one call of `watch` tells at most. */
const pageLength = 100;

export interface SimulatedSettlement extends Settlement {
  readonly payments: SimulatedPayments;
  /** Makes the next call fail with this error, as a real provider sometimes does. */
  failNext(call: "createAddress" | "watch", error: Error): void;
}

/**
 * A provider whose chain is a few tables: it survives restarts and every instance sees the same
 * payments. Its addresses can be paid on no network, so nobody loses a coin to a preview.
 */
export function createSimulatedSettlement(db: Db, random: Random): SimulatedSettlement {
  const failures = new Map<string, Error>();
  const failIfAsked = (call: string) => {
    const failure = failures.get(call);
    failures.delete(call);
    if (failure !== undefined) throw failure;
  };
  return {
    mode: "SIMULATED",
    assets: simulatedAssets,
    answerMs: 15_000,
    createAddress: async (asset, reference) => {
      failIfAsked("createAddress");
      return (await findAddress(db, asset, reference)) ?? makeAddress(db, random, asset, reference);
    },
    watch: async (network, cursor) => {
      failIfAsked("watch");
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
    throw new SettlementFailed("the reference has an address of another asset");
  }
  return found?.address;
}

/** Whoever comes second with a reference inserts nothing and finds the first one's address. */
async function makeAddress(
  db: Db,
  random: Random,
  asset: Asset,
  reference: string,
): Promise<string> {
  const address = `sim-${asset.toLowerCase()}-${randomText(random)}`;
  const made = await db.write(async (tx) => {
    await tx
      .insertInto("simulated_addresses")
      .values({ reference, asset, address })
      .onConflict((conflict) => conflict.column("reference").doNothing())
      .execute();
    return ok(await findAddress({ read: tx }, asset, reference));
  });
  if (!made.ok || made.value === undefined) throw new SettlementFailed("no address was made");
  return made.value;
}

async function newsSince(
  db: Db,
  network: string,
  cursor: string | undefined,
): Promise<SettlementNews> {
  const after = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isSafeInteger(after)) throw new SettlementFailed("the cursor is of another provider");
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
