import { limits } from "@ironlease/contract";
import type { Core } from "#kernel/core.ts";

/** A subnet as operators see it. */
export interface SubnetRecord {
  readonly id: string;
  readonly regionId: string;
  readonly cidr: string;
  /** Null for the usual zone. */
  readonly reverseZone: string | null;
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
  let subnets = db.read
    .selectFrom("subnets")
    .select(["subnets.id", "subnets.region_id as regionId", "subnets.cidr"])
    .select("subnets.reverse_zone as reverseZone")
    .select((eb) =>
      eb
        .selectFrom("assignments")
        .select((inner) => inner.fn.countAll<number>().as("count"))
        .whereRef("assignments.subnet_id", "=", "subnets.id")
        .where("assignments.released_at", "is", null)
        .$asScalar()
        .$notNull()
        .as("assigned"),
    )
    .orderBy("subnets.id")
    .limit(limits.listLength);
  if (regionId !== undefined) subnets = subnets.where("subnets.region_id", "=", regionId);
  if (after !== undefined) subnets = subnets.where("subnets.id", ">", after);
  return subnets.execute();
}
