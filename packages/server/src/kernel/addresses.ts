import type { Result } from "#ports/result.ts";
import { ok, refuse } from "./result.ts";
import { addressAt, placeOf, prefixLengthOf } from "./address-places.ts";
import { freePlace, lockPools, takeFreePlace, type Place, type Pool } from "./address-pools.ts";
import { takeReserved, type ReservedPlace } from "./address-reservations.ts";
import type { Erase } from "./closed-account.ts";
import type { TxScope } from "./call.ts";
import { markPtr, trackPtr } from "./reverse-dns/track-ptrs.ts";

export interface Recipient {
  readonly accountId: string;
  readonly serverId: string;
  readonly regionId: string;
}

/**
 * Assigns a server one address of each family that its region has subnets for: an IPv4 address and an IPv6 /64. These
 * are the addresses that its delivery has reserved. A family without a reservation gets a free address. The region's
 * subnets are locked in id order, so no two servers get the same place. A unique index backs that up.
 */
export async function assignAddresses(
  scope: TxScope,
  recipient: Recipient,
): Promise<Result<readonly string[]>> {
  const { tx } = scope;
  const { regionId, serverId } = recipient;
  const pools = await lockPools(tx, regionId);
  if (pools.size === 0) {
    return refuse("conflict", {
      message: `The region ${regionId} has no subnet with addresses to assign. Add one first.`,
    });
  }
  const reserved = await takeReserved(tx, serverId);
  const addresses: string[] = [];
  for (const [family, ofFamily] of pools) {
    const place = reservedIn(ofFamily, reserved) ?? (await takeFreePlace(tx, regionId, ofFamily));
    if (place === undefined) {
      return refuse("conflict", {
        message: `All IPv${family} addresses of the region ${regionId} are in use. Add a subnet first.`,
      });
    }
    addresses.push(await assign(scope, recipient, place));
  }
  return ok(addresses);
}

function reservedIn(pools: readonly Pool[], reserved: readonly ReservedPlace[]): Place | undefined {
  for (const { subnetId, place } of reserved) {
    const pool = pools.find(({ id }) => id === subnetId);
    if (pool !== undefined) return { pool, index: place };
  }
  return undefined;
}

/** Releases the server's addresses. They are the first to be assigned again. */
export async function releaseAddresses({ tx, core }: TxScope, serverId: string): Promise<void> {
  const released = await tx
    .updateTable("assignments")
    .set({ released_at: core.clock.now() })
    .where("server_id", "=", serverId)
    .where("released_at", "is", null)
    .returning(["subnet_id", "address"])
    .execute();
  for (const { subnet_id, address } of released) {
    const pool = await tx
      .selectFrom("subnets")
      .select(["family", "first_address", "last_address"])
      .where("id", "=", subnet_id)
      .executeTakeFirstOrThrow();
    await freePlace(tx, subnet_id, placeOf(pool, address));
    await markPtr(tx, address, core.clock.now());
  }
}

async function assign(
  { tx, core }: TxScope,
  { accountId, serverId }: Recipient,
  { pool, index }: Place,
): Promise<string> {
  const address = addressAt(pool, index);
  await tx
    .insertInto("assignments")
    .values({
      id: core.ids.next("assignment"),
      account_id: accountId,
      server_id: serverId,
      subnet_id: pool.id,
      address,
      prefix_length: prefixLengthOf(pool.family),
      family: pool.family,
      ptr: "",
      created_at: core.clock.now(),
      released_at: null,
    })
    .execute();
  await trackPtr({ tx, core }, pool, address);
  return address;
}

/** Stores the name that an assigned address points to; empty clears it. The caller holds the row's lock. */
export async function setPtr(
  { tx, core }: TxScope,
  { accountId, assignmentId }: { readonly accountId: string; readonly assignmentId: string },
  ptr: string,
): Promise<void> {
  const { address } = await tx
    .updateTable("assignments")
    .set({ ptr })
    .where("id", "=", assignmentId)
    .where("account_id", "=", accountId)
    .returning("address")
    .executeTakeFirstOrThrow();
  await markPtr(tx, address, core.clock.now());
}

/** Erases the reverse DNS names of released addresses. An account that closes has no others. */
export const erasePtrs: Erase = async ({ tx }, accountId) => {
  await tx
    .updateTable("assignments")
    .set({ ptr: "" })
    .where("account_id", "=", accountId)
    .where("released_at", "is not", null)
    .execute();
};
