import { limits } from "@ironlease/contract";
import { lockAccount } from "#kernel/access/accounts.ts";
import type { TxScope } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { confirmationsNeeded, type ConnectedAsset } from "#kernel/settlement.ts";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Asset, SettlementMode } from "#ports/settlement.ts";
import { takeIndex } from "#kernel/keychains.ts";

/** A request for a deposit address, and the chain that would receive the payment. */
export interface AddressIntent extends ConnectedAsset {
  readonly accountId: string;
  readonly key: string;
  readonly asset: Asset;
  readonly mode: SettlementMode;
}

/** A recorded request and the derivation index it has taken. */
export interface RecordedIntent {
  readonly id: string;
  readonly index: number;
}

/**
 * Records the request and takes a derivation index for it before the node is called. The same key and asset always
 * get the same index, so a crash neither loses nor duplicates an address.
 */
export async function recordIntent(
  core: Core,
  intent: AddressIntent,
): Promise<Result<RecordedIntent>> {
  const { accountId, key, asset, mode, chain, terms } = intent;
  return core.db.write(async (tx) => {
    // The first lookup takes no lock, so that concurrent retries do not queue for it.
    const before = await findIntent(tx, intent);
    if (before !== undefined) return ok(before);
    await lockAccount(tx, accountId);
    const meanwhile = await findIntent(tx, intent);
    if (meanwhile !== undefined) return ok(meanwhile);

    const room = await checkRoom(tx, accountId);
    if (!room.ok) return room;
    await forgetIntent(tx, intent);
    const { keychainId, index } = await takeIndex({ tx, core }, chain);
    const id = core.ids.next("depositAddress");
    await tx
      .insertInto("deposit_addresses")
      .values({
        id,
        account_id: accountId,
        intent_key: key,
        asset,
        network: chain.network,
        mode,
        address: null,
        confirmations_required: confirmationsNeeded(terms),
        created_at: core.clock.now(),
        keychain_id: keychainId,
        derivation_index: index,
      })
      .execute();
    await forgetOldest(tx, accountId);
    return ok({ id, index });
  });
}

/** An intent counts only while the public key that it took its index from is still the connected one. */
async function findIntent(
  tx: Tx,
  { accountId, key, asset, chain }: AddressIntent,
): Promise<RecordedIntent | undefined> {
  const recorded = await tx
    .selectFrom("deposit_addresses")
    .innerJoin("keychains", "keychains.id", "deposit_addresses.keychain_id")
    .select(["deposit_addresses.id", "derivation_index as index"])
    .where("account_id", "=", accountId)
    .where("intent_key", "=", key)
    .where("asset", "=", asset)
    .where("keychains.network", "=", chain.network)
    .where("keychains.public_key", "=", chain.publicKey)
    .executeTakeFirst();
  return recorded as RecordedIntent | undefined;
}

/** Deletes the same request for a public key or network that is no longer connected. */
async function forgetIntent(tx: Tx, { accountId, key, asset }: AddressIntent): Promise<void> {
  await tx
    .deleteFrom("deposit_addresses")
    .where("account_id", "=", accountId)
    .where("intent_key", "=", key)
    .where("asset", "=", asset)
    .where("address", "is", null)
    .execute();
}

/** Stores the derived address. The transaction must hold the account's row. */
export async function storeAddress(
  { tx }: TxScope,
  { accountId, mode, terms }: AddressIntent,
  { id, address }: { readonly id: string; readonly address: string },
): Promise<Result<void>> {
  const room = await checkRoom(tx, accountId);
  if (!room.ok) return room;
  const { numUpdatedRows } = await tx
    .updateTable("deposit_addresses")
    // The confirmations may have changed in the settings since the request was recorded.
    .set({ address, mode, confirmations_required: confirmationsNeeded(terms) })
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numUpdatedRows === 1n ? ok() : refuse("settlement_unavailable");
}

async function checkRoom(tx: Tx, accountId: string): Promise<Result<void>> {
  const { addresses } = await tx
    .selectFrom("deposit_addresses")
    .select((eb) => eb.fn.count<number>("address").as("addresses"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return addresses < limits.depositAddressesPerAccount ? ok() : refuse("limit_reached");
}

/** An outage leaves requests that no client may retry. The oldest ones above the limit are deleted. */
async function forgetOldest(tx: Tx, accountId: string): Promise<void> {
  const beyondLimit = tx
    .selectFrom("deposit_addresses")
    .select("id")
    .where("account_id", "=", accountId)
    .where("address", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    // SQLite takes an offset only after a limit. No account has this many.
    .limit(1_000_000)
    .offset(limits.depositAddressesPerAccount);
  await tx.deleteFrom("deposit_addresses").where("id", "in", beyondLimit).execute();
}
