import type { Tx } from "#ports/db.ts";
import { firstPlace, lastPlace } from "./address-places.ts";
import { takeUnusedPlace } from "./subnets.ts";

/** A locked subnet. */
export interface Pool {
  readonly id: string;
  readonly family: number;
  readonly cidr: string;
  readonly reverseZone: string | null;
  readonly first_address: string;
  readonly last_address: string;
  readonly next_index: number;
}

/** One place in a subnet. */
export interface Place {
  readonly pool: Pool;
  readonly index: number;
}

/** Locks the region's subnets in id order. Returns IPv4 before IPv6, lowest addresses first. */
export async function lockPools(
  tx: Tx,
  regionId: string,
): Promise<ReadonlyMap<number, readonly Pool[]>> {
  const pools = await tx
    .selectFrom("subnets")
    .select(["id", "family", "cidr", "reverse_zone as reverseZone"])
    .select(["first_address", "last_address", "next_index"])
    .where("region_id", "=", regionId)
    .orderBy("id")
    .forUpdate()
    .execute();
  const rankOf = ({ family, first_address }: Pool) => `${family} ${first_address}`;
  const sorted = pools.toSorted((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1));
  return Map.groupBy(sorted, (pool) => pool.family);
}

/** Takes a free place of the locked subnets of one family. Undefined when there is none. */
export async function takeFreePlace(
  tx: Tx,
  regionId: string,
  pools: readonly Pool[],
): Promise<Place | undefined> {
  const released = await lowestReleased(tx, regionId, pools);
  const place = released ?? firstUnused(pools);
  if (place === undefined) return undefined;
  const isTaken =
    released === undefined
      ? await takeUnusedPlace(tx, place.pool, place.index)
      : await takeReleasedPlace(tx, place);
  if (!isTaken) throw new Error("another transaction took a place of a locked subnet");
  return place;
}

/** Frees a place that was taken. It is among the first to be taken again. */
export async function freePlace(tx: Tx, subnetId: string, place: number): Promise<void> {
  await tx.insertInto("released_places").values({ subnet_id: subnetId, place }).execute();
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
  return released === undefined || pool === undefined ? undefined : { pool, index: released.place };
}

function firstUnused(pools: readonly Pool[]): Place | undefined {
  for (const pool of pools) {
    const index = Math.max(pool.next_index, firstPlace(pool.family));
    if (index <= lastPlace(pool)) return { pool, index };
  }
  return undefined;
}

/** The condition ensures that a place is taken at most once. */
async function takeReleasedPlace(tx: Tx, { pool, index }: Place): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("released_places")
    .where("subnet_id", "=", pool.id)
    .where("place", "=", index)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
