import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "./result.ts";
import { addressAt, firstPlace, lastPlace, placeOf, prefixLengthOf } from "./address-places.ts";
import type { TxScope } from "./call.ts";
import { markPtr, trackPtr } from "./reverse-dns/track-ptrs.ts";
import { takeUnusedPlace } from "./subnets.ts";

export interface Recipient {
  readonly accountId: string;
  readonly serverId: string;
  readonly regionId: string;
}

/** A locked subnet. */
interface Pool {
  readonly id: string;
  readonly family: number;
  readonly cidr: string;
  readonly reverseZone: string | null;
  readonly first_address: string;
  readonly last_address: string;
  readonly next_index: number;
}

/** A free place in a subnet. */
interface Place {
  readonly pool: Pool;
  readonly index: number;
  readonly isReleased: boolean;
}

/**
 * Assigns a server one address of each family that its region has subnets for: an IPv4 address and an IPv6 /64. The
 * region's subnets are locked in id order, so no two servers get the same place. A unique index backs that up.
 */
export async function assignAddresses(
  scope: TxScope,
  recipient: Recipient,
): Promise<Result<readonly string[]>> {
  const { tx } = scope;
  const { regionId } = recipient;
  const pools = await lockPools(tx, regionId);
  if (pools.length === 0) {
    return refuse("conflict", {
      message: `The region ${regionId} has no subnet with addresses to assign. Add one first.`,
    });
  }
  const addresses: string[] = [];
  for (const [family, ofFamily] of Map.groupBy(pools, (pool) => pool.family)) {
    const place = (await lowestReleased(tx, regionId, ofFamily)) ?? firstUnused(ofFamily);
    if (place === undefined) {
      return refuse("conflict", {
        message: `All IPv${family} addresses of the region ${regionId} are in use. Add a subnet first.`,
      });
    }
    await takePlace(tx, place);
    addresses.push(await assign(scope, recipient, place));
  }
  return ok(addresses);
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
    const place = placeOf(pool, address);
    await tx.insertInto("released_places").values({ subnet_id, place }).execute();
    await markPtr(tx, address, core.clock.now());
  }
}

/** Locks in id order. Returns IPv4 before IPv6, lowest addresses first. */
async function lockPools(tx: Tx, regionId: string): Promise<readonly Pool[]> {
  const pools = await tx
    .selectFrom("subnets")
    .select(["id", "family", "cidr", "reverse_zone as reverseZone"])
    .select(["first_address", "last_address", "next_index"])
    .where("region_id", "=", regionId)
    .orderBy("id")
    .forUpdate()
    .execute();
  const rankOf = ({ family, first_address }: Pool) => `${family} ${first_address}`;
  return pools.toSorted((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1));
}

async function lowestReleased(
  tx: Tx,
  regionId: string,
  pools: readonly Pool[],
): Promise<Place | undefined> {
  const released = await tx
    .selectFrom("released_places")
    .innerJoin("subnets", "subnets.id", "released_places.subnet_id")
    .select(["subnets.id", "released_places.place"])
    .where("subnets.region_id", "=", regionId)
    .where("subnets.family", "=", pools[0]?.family ?? 0)
    .orderBy("subnets.first_address")
    .orderBy("released_places.place")
    .limit(1)
    .executeTakeFirst();
  const pool = pools.find(({ id }) => id === released?.id);
  if (released === undefined || pool === undefined) return undefined;
  return { pool, index: released.place, isReleased: true };
}

function firstUnused(pools: readonly Pool[]): Place | undefined {
  for (const pool of pools) {
    const index = Math.max(pool.next_index, firstPlace(pool.family));
    if (index <= lastPlace(pool)) return { pool, index, isReleased: false };
  }
  return undefined;
}

/** The condition ensures that a place is taken at most once. */
async function takePlace(tx: Tx, { pool, index, isReleased }: Place): Promise<void> {
  const isTaken = isReleased
    ? await takeReleasedPlace(tx, pool.id, index)
    : await takeUnusedPlace(tx, pool, index);
  if (!isTaken) throw new Error("another transaction took a place of a locked subnet");
}

async function takeReleasedPlace(tx: Tx, subnetId: string, place: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("released_places")
    .where("subnet_id", "=", subnetId)
    .where("place", "=", place)
    .executeTakeFirst();
  return numDeletedRows === 1n;
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
