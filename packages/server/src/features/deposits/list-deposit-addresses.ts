import { limits } from "@ironlease/contract";
import type { Kysely } from "kysely";
import type { Core } from "#kernel/core.ts";
import { prepared } from "#kernel/sql/prepared.ts";
import type { Schema } from "#ports/schema.ts";
import type { Asset, SettlementMode } from "#ports/settlement.ts";

export interface DepositAddressRecord {
  readonly id: string;
  readonly address: string;
  readonly asset: Asset;
  readonly network: string;
  readonly mode: SettlementMode;
  readonly createdAt: number;
  /** How many payments to the address have been seen. */
  readonly deposits: number;
}

/** The account's addresses. A request that the provider has not answered has none yet. */
export const addressesOf = (db: Kysely<Schema>, accountId: string) =>
  db
    .selectFrom("deposit_addresses")
    .select(["id", "address", "asset", "network", "mode", "created_at as createdAt"])
    .select((eb) =>
      eb
        .selectFrom("deposits")
        .select((count) => count.fn.countAll<number>().as("count"))
        .whereRef("deposits.address_id", "=", "deposit_addresses.id")
        .as("deposits"),
    )
    .where("account_id", "=", accountId)
    .where("address", "is not", null);

const selectAddresses = prepared(["accountId"], (db, { accountId }: { accountId: string }) =>
  addressesOf(db, accountId).orderBy("id", "desc").limit(limits.listLength),
);

/** The account's latest deposit addresses, newest first. */
export async function listDepositAddresses(
  { db }: Core,
  accountId: string,
): Promise<readonly DepositAddressRecord[]> {
  const rows = await selectAddresses(db.read, { accountId });
  return rows as readonly DepositAddressRecord[];
}
