import { sql, type Kysely } from "kysely";
import type { TxScope } from "./call.ts";
import type { Schema } from "#ports/schema.ts";
import type { Chain } from "#ports/settlement.ts";

/** An index of one public key. Together they give one address, for ever. */
export interface Derivation {
  readonly keychainId: string;
  readonly index: number;
}

/**
 * Takes the next derivation index of the chain's public key. An index is never reused, even if its address was not
 * issued: a late payment would go to the wrong customer.
 */
export async function takeIndex(scope: TxScope, chain: Chain): Promise<Derivation> {
  const taken = await increment(scope, chain);
  if (taken !== undefined) return taken;
  await addKeychain(scope, chain);
  const first = await increment(scope, chain);
  if (first === undefined) throw new Error(`the keychain of ${chain.network} has disappeared`);
  return first;
}

async function increment(
  { tx }: TxScope,
  { network, publicKey }: Chain,
): Promise<Derivation | undefined> {
  const row = await tx
    .updateTable("keychains")
    .set({ next_index: sql`next_index + 1` })
    .where("network", "=", network)
    .where("public_key", "=", publicKey)
    .returning(["id as keychainId", "next_index as nextIndex"])
    .executeTakeFirst();
  return row && { keychainId: row.keychainId, index: row.nextIndex - 1 };
}

/** The index that the next change address of the chain's public key will have. */
export async function nextChangeIndex(
  db: Kysely<Schema>,
  { network, publicKey }: Chain,
): Promise<number> {
  const row = await db
    .selectFrom("keychains")
    .select("next_change_index as index")
    .where("network", "=", network)
    .where("public_key", "=", publicKey)
    .executeTakeFirst();
  return row?.index ?? 0;
}

/** Takes a change index. False when another payout has taken it. */
export async function takeChangeIndex(
  scope: TxScope,
  chain: Chain,
  index: number,
): Promise<boolean> {
  await addKeychain(scope, chain);
  const { numUpdatedRows } = await scope.tx
    .updateTable("keychains")
    .set({ next_change_index: index + 1 })
    .where("network", "=", chain.network)
    .where("public_key", "=", chain.publicKey)
    .where("next_change_index", "=", index)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

async function addKeychain({ tx, core }: TxScope, { network, publicKey }: Chain): Promise<void> {
  await tx
    .insertInto("keychains")
    .values({
      id: core.ids.next("keychain"),
      network,
      public_key: publicKey,
      next_index: 0,
      created_at: core.clock.now(),
    })
    .onConflict((conflict) => conflict.columns(["network", "public_key"]).doNothing())
    .execute();
}
