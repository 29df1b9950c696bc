import { limits } from "@ironlease/contract";
import { lockAccount } from "#kernel/access/accounts.ts";
import type { Core } from "#kernel/core.ts";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Asset, AssetSettlement, SettlementMode } from "#ports/settlement.ts";

/** A request for a deposit address, and the network that would receive the payment. */
export interface AddressIntent {
  readonly accountId: string;
  readonly key: string;
  readonly asset: Asset;
  readonly mode: SettlementMode;
  readonly connected: AssetSettlement;
}

/**
 * Records the request before the provider is called and returns the reference for that call. The same key and asset
 * always get the same reference, so a crash neither loses nor duplicates an address.
 */
export async function recordIntent(core: Core, intent: AddressIntent): Promise<Result<string>> {
  const { accountId, key, asset, mode, connected } = intent;
  return core.db.write(async (tx) => {
    // The first lookup takes no lock, so that concurrent retries do not queue for it.
    const before = await findReference(tx, intent);
    if (before !== undefined) return ok(before);
    await lockAccount(tx, accountId);
    const meanwhile = await findReference(tx, intent);
    if (meanwhile !== undefined) return ok(meanwhile);

    const room = await checkRoom(tx, accountId);
    if (!room.ok) return room;
    const id = core.ids.next("depositAddress");
    await tx
      .insertInto("deposit_addresses")
      .values({
        id,
        account_id: accountId,
        intent_key: key,
        asset,
        network: connected.network,
        mode,
        address: null,
        confirmations_required: connected.confirmationsRequired,
        created_at: core.clock.now(),
      })
      .execute();
    await forgetOldest(tx, accountId);
    return ok(id);
  });
}

async function findReference(tx: Tx, intent: AddressIntent): Promise<string | undefined> {
  const recorded = await tx
    .selectFrom("deposit_addresses")
    .select("id")
    .where("account_id", "=", intent.accountId)
    .where("intent_key", "=", intent.key)
    .where("asset", "=", intent.asset)
    .executeTakeFirst();
  return recorded?.id;
}

/** Stores the provider's address. The transaction must hold the account's row. */
export async function keepAddress(
  tx: Tx,
  intent: AddressIntent,
  reference: string,
  address: string,
): Promise<Result<void>> {
  const { accountId, mode, connected } = intent;
  const room = await checkRoom(tx, accountId);
  if (!room.ok) return room;
  const { numUpdatedRows } = await tx
    .updateTable("deposit_addresses")
    .set({
      address,
      // A request from before a settings change gets what is connected now.
      network: connected.network,
      mode,
      confirmations_required: connected.confirmationsRequired,
    })
    .where("account_id", "=", accountId)
    .where("id", "=", reference)
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
