import { limits } from "@ironlease/contract";
import { lockAccount } from "#kernel/access/accounts.ts";
import type { Core } from "#kernel/core.ts";
import type { Tx } from "#ports/db.ts";
import { ok, refuse, type Result } from "#ports/result.ts";
import type { Asset, AssetSettlement, SettlementMode } from "#ports/settlement.ts";

/** What an account asks for under a key, and where it would be paid. */
export interface AddressIntent {
  readonly accountId: string;
  readonly key: string;
  readonly asset: Asset;
  readonly mode: SettlementMode;
  readonly connected: AssetSettlement;
}

/**
 * Records what is wanted before the provider is asked, and gives the reference to ask under. The same
 * key and asset always get the same reference, so a crash neither loses nor doubles an address.
 */
export async function recordIntent(core: Core, intent: AddressIntent): Promise<Result<string>> {
  const { accountId, key, asset, mode, connected } = intent;
  return core.db.write(async (tx) => {
    // Looked for without the lock first: a thousand retries at once need not queue for it.
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

/** Turns the intent into an address that counts for ever. The account's row must be locked. */
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
      // An intent from before a change of the settings is answered by what is connected now.
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

/** An outage leaves intents that nobody may ever come back for; beyond as many as the limit they go. */
async function forgetOldest(tx: Tx, accountId: string): Promise<void> {
  const beyondLimit = tx
    .selectFrom("deposit_addresses")
    .select("id")
    .where("account_id", "=", accountId)
    .where("address", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    // SQLite takes an offset only after a limit; no account has this many.
    .limit(1_000_000)
    .offset(limits.depositAddressesPerAccount);
  await tx.deleteFrom("deposit_addresses").where("id", "in", beyondLimit).execute();
}
