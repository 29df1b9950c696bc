import type { Tx } from "#ports/db.ts";
import { addressAt } from "./address-places.ts";
import { freePlace, lockPools, takeFreePlace, type Place } from "./address-pools.ts";

export interface Delivery {
  readonly workId: string;
  readonly regionId: string;
}

/**
 * Reserves one address of each family that the region has, for the delivery that an operator has claimed, and returns
 * all that it has reserved. A family without a free address is left out: the next claim, or the completion, tries again.
 * The caller holds the work item; the region's subnets are locked after it.
 */
export async function reserveAddresses(
  tx: Tx,
  { workId, regionId }: Delivery,
): Promise<readonly string[]> {
  const pools = await lockPools(tx, regionId);
  const reserved = await tx
    .selectFrom("address_reservations")
    .select(["family", "subnet_id", "place"])
    .where("work_id", "=", workId)
    .execute();
  const addresses: string[] = [];
  for (const [family, ofFamily] of pools) {
    const kept = reserved.find((row) => row.family === family);
    const pool = ofFamily.find(({ id }) => id === kept?.subnet_id);
    if (kept !== undefined && pool !== undefined) {
      addresses.push(addressAt(pool, kept.place));
      continue;
    }
    const place = await takeFreePlace(tx, regionId, ofFamily);
    if (place === undefined) continue;
    await reserve(tx, workId, place);
    addresses.push(addressAt(place.pool, place.index));
  }
  return addresses;
}

async function reserve(tx: Tx, workId: string, { pool, index }: Place): Promise<void> {
  await tx
    .insertInto("address_reservations")
    .values({ work_id: workId, family: pool.family, subnet_id: pool.id, place: index })
    .execute();
}

/** A place that the delivery of a server had reserved. */
export interface ReservedPlace {
  readonly family: number;
  readonly subnetId: string;
  readonly place: number;
}

/** Ends the reservations of a server's delivery and returns their places, which the caller assigns or frees. */
export function takeReserved(tx: Tx, serverId: string): Promise<readonly ReservedPlace[]> {
  return tx
    .deleteFrom("address_reservations")
    .where("work_id", "=", (eb) =>
      // A server is delivered by one item.
      eb
        .selectFrom("work")
        .select("id")
        .where("server_id", "=", serverId)
        .where("kind", "=", "PROVISION")
        .limit(1),
    )
    .returning(["family", "subnet_id as subnetId", "place"])
    .execute();
}

/** Frees the addresses of a delivery that was given up. */
export async function freeReserved(tx: Tx, serverId: string): Promise<void> {
  const reserved = await takeReserved(tx, serverId);
  for (const { subnetId, place } of reserved.toSorted(bySubnet)) {
    await freePlace(tx, subnetId, place);
  }
}

/** Subnets are locked in id order. */
function bySubnet(a: ReservedPlace, b: ReservedPlace): number {
  return a.subnetId < b.subnetId ? -1 : 1;
}
