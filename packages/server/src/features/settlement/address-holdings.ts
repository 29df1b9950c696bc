import type { Kysely } from "kysely";
import { callChain } from "#kernel/settlement.ts";
import type { Schema } from "#ports/schema.ts";
import type { Chain, Holding, SettlementMode } from "#ports/settlement.ts";

/** What an issued address holds of one asset. */
export interface AddressHolding extends Holding {
  readonly index: number;
  readonly accountId: string;
  readonly username: string;
  /** The sum of its deposits that the service has seen. */
  readonly recordedUnits: bigint;
}

/** A part of the issued addresses, and the index after it. */
export interface HoldingsPage {
  readonly holdings: readonly AddressHolding[];
  readonly next: number | undefined;
}

export interface WatchedNetwork {
  readonly db: { readonly read: Kysely<Schema> };
  readonly mode: SettlementMode;
  readonly chain: Chain;
}

const pageLength = 100;
/** An address with more deposits is left out. Summing them would take too long. */
const maxDeposits = 10_000;

/** The index that the chain's next address will have. */
export async function nextIndex({ db, chain }: WatchedNetwork): Promise<number> {
  const keychain = await keychainOf({ db, chain });
  return keychain?.nextIndex ?? 0;
}

/** Compares a page of addresses, from an index on, with the block that was scanned last. */
export async function readHoldings(network: WatchedNetwork, from: number): Promise<HoldingsPage> {
  const { db, chain } = network;
  const [keychain, height] = [await keychainOf(network), await scannedHeight(network)];
  const { holdings } = chain;
  if (holdings === undefined || keychain === undefined || height === undefined) {
    return { holdings: [], next: undefined };
  }
  const next = from + pageLength < keychain.nextIndex ? from + pageLength : undefined;
  const issued = await db.read
    .selectFrom("deposit_addresses")
    .innerJoin("accounts", "accounts.id", "deposit_addresses.account_id")
    .select(["deposit_addresses.id", "address", "account_id as accountId", "username"])
    .select("derivation_index as index")
    .where("keychain_id", "=", keychain.id)
    .where("derivation_index", ">=", from)
    .where("derivation_index", "<", from + pageLength)
    .where("address", "is not", null)
    .execute();
  if (issued.length === 0) return { holdings: [], next };
  const addresses = issued.map(({ address }) => address as string);
  const held = await callChain(chain, (signal) => holdings(addresses, height, signal));
  const recorded = await recordedUnits(
    db,
    issued.map(({ id }) => id),
  );
  return {
    next,
    holdings: held.flatMap((holding): AddressHolding[] => {
      const owner = issued.find(({ address }) => address === holding.address);
      if (owner === undefined || recorded === undefined) return [];
      const { id, accountId, username, index } = owner;
      const units = recorded.get(`${id} ${holding.asset}`) ?? 0n;
      return [{ ...holding, index: index as number, accountId, username, recordedUnits: units }];
    }),
  };
}

async function keychainOf({ db, chain }: Pick<WatchedNetwork, "db" | "chain">) {
  return db.read
    .selectFrom("keychains")
    .select(["id", "next_index as nextIndex"])
    .where("network", "=", chain.network)
    .where("public_key", "=", chain.publicKey)
    .executeTakeFirst();
}

async function scannedHeight({ db, mode, chain }: WatchedNetwork): Promise<number | undefined> {
  const cursor = await db.read
    .selectFrom("settlement_cursors")
    .select("height")
    .where("mode", "=", mode)
    .where("network", "=", chain.network)
    .executeTakeFirst();
  return cursor?.height ?? undefined;
}

/** By address id and asset. Undefined when there are too many to sum. */
async function recordedUnits(
  { read }: WatchedNetwork["db"],
  addressIds: readonly string[],
): Promise<ReadonlyMap<string, bigint> | undefined> {
  const deposits = await read
    .selectFrom("deposits")
    .select(["address_id", "asset", "amount_units"])
    .where("address_id", "in", addressIds)
    .limit(maxDeposits)
    .execute();
  if (deposits.length === maxDeposits) return undefined;
  const sums = new Map<string, bigint>();
  for (const { address_id: id, asset, amount_units: units } of deposits) {
    const key = `${id} ${asset}`;
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(units));
  }
  return sums;
}
