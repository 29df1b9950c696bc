import { limits } from "@ironlease/contract";
import type { Kysely } from "kysely";
import { gatewayOf } from "#kernel/address-places.ts";
import type { Core } from "#kernel/core.ts";
import type { Subnet } from "#kernel/subnets.ts";
import type { Schema } from "#ports/schema.ts";

/** A subnet as operators see it. */
export interface SubnetRecord extends Subnet {
  /** How many of its addresses or /64s are assigned. */
  readonly assigned: number;
}

export interface SubnetFilter {
  readonly regionId?: string;
  /** The last id of the previous page. */
  readonly after?: string;
}

/** A page of subnets in the order they were added, each with its number of assigned addresses. Takes one query. */
export async function listSubnets(
  { db }: Core,
  { regionId, after }: SubnetFilter,
): Promise<readonly SubnetRecord[]> {
  let subnets = selectSubnets(db.read).orderBy("subnets.id").limit(limits.listLength);
  if (regionId !== undefined) subnets = subnets.where("subnets.region_id", "=", regionId);
  if (after !== undefined) subnets = subnets.where("subnets.id", ">", after);
  return (await subnets.execute()).map(toRecord);
}

/** One subnet, or undefined if there is none with this id. */
export async function findSubnet(
  db: Kysely<Schema>,
  id: string,
): Promise<SubnetRecord | undefined> {
  const row = await selectSubnets(db).where("subnets.id", "=", id).executeTakeFirst();
  return row && toRecord(row);
}

function selectSubnets(db: Kysely<Schema>) {
  return db
    .selectFrom("subnets")
    .select(["subnets.id", "subnets.region_id as regionId", "subnets.cidr"])
    .select(["subnets.reverse_zone as reverseZone", "subnets.gateway", "subnets.vlan"])
    .select(["subnets.family", "subnets.first_address", "subnets.last_address"])
    .select((eb) =>
      eb
        .selectFrom("assignments")
        .select((inner) => inner.fn.countAll<number>().as("count"))
        .whereRef("assignments.subnet_id", "=", "subnets.id")
        .where("assignments.released_at", "is", null)
        .$asScalar()
        .$notNull()
        .as("assigned"),
    );
}

type SubnetRow = Awaited<ReturnType<ReturnType<typeof selectSubnets>["executeTakeFirstOrThrow"]>>;

function toRecord({ family, first_address, last_address, ...row }: SubnetRow): SubnetRecord {
  const { gateway } = row;
  return { ...row, gateway: gatewayOf({ family, first_address, last_address, gateway }) };
}
