import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import type { ReverseSubnet } from "#kernel/reverse-dns/reverse-names.ts";
import type { PtrState } from "#ports/schema.ts";

/** The record of an address, with the setting that it should have now. */
export interface TrackedPtr {
  readonly address: string;
  readonly name: string;
  readonly zone: string;
  /** The setting. Empty for none, and for an address that is not assigned. */
  readonly wanted: string;
  readonly state: PtrState;
  readonly published: string;
  readonly attempted: string | null;
  readonly answered: string;
  readonly failures: number;
  readonly revision: number;
  /** Of the request that last changed the setting. */
  readonly traceparent: string | null;
}

export interface TrackedZone {
  readonly zone: string;
  readonly mayCreate: number;
  readonly comparedAt: number;
}

/** A zone of more records is compared in several steps. */
const comparedAtOnce = 1_000;

const tracked = ({ db }: Core) =>
  db.read
    .selectFrom("published_ptrs as p")
    .leftJoin("assignments as a", (join) =>
      join.onRef("a.address", "=", "p.address").on("a.released_at", "is", null),
    )
    .select(["p.address", "p.name", "p.zone", "p.state", "p.published", "p.attempted"])
    .select(["p.answered", "p.failures", "p.revision", "p.traceparent"])
    .select(sql<string>`coalesce(a.ptr, '')`.as("wanted"));

/** The records that are due, those that waited longest first. */
export async function duePtrs(
  core: Core,
  withoutZones: readonly string[],
  limit: number,
): Promise<readonly TrackedPtr[]> {
  return (
    tracked(core)
      .$if(withoutZones.length > 0, (query) => query.where("p.zone", "not in", withoutZones))
      // As a literal: a parameter would keep the database from using the index of these records.
      .where(sql<boolean>`p.state <> 'PUBLISHED'`)
      .where("p.due_at", "<=", core.clock.now())
      .orderBy("p.due_at")
      .orderBy("p.address")
      .limit(limit)
      .execute()
  );
}

/** All records of a zone, in pages. */
export async function* ptrsOfZone(core: Core, zone: string): AsyncGenerator<readonly TrackedPtr[]> {
  for (let after = ""; ;) {
    const page = await tracked(core)
      .where("p.zone", "=", zone)
      .where("p.address", ">", after)
      .orderBy("p.address")
      .limit(comparedAtOnce)
      .execute();
    if (page.length > 0) yield page;
    if (page.length < comparedAtOnce) return;
    after = page.at(-1)?.address ?? "";
  }
}

/** The zones that were not compared since then. */
export async function zonesDue(
  { db }: Core,
  comparedBefore: number,
  limit: number,
): Promise<readonly TrackedZone[]> {
  return db.read
    .selectFrom("reverse_zones")
    .select(["zone", "may_create as mayCreate", "compared_at as comparedAt"])
    .where("compared_at", "<=", comparedBefore)
    .orderBy("compared_at")
    .orderBy("zone")
    .limit(limit)
    .execute();
}

export async function findZone({ db }: Core, zone: string): Promise<TrackedZone> {
  return db.read
    .selectFrom("reverse_zones")
    .select(["zone", "may_create as mayCreate", "compared_at as comparedAt"])
    .where("zone", "=", zone)
    .executeTakeFirstOrThrow();
}

export interface UntrackedPtr extends ReverseSubnet {
  readonly address: string;
}

/** Addresses of a subnet that were assigned before records were tracked. */
export async function untrackedPtrs(
  { db }: Core,
  subnetId: string,
  limit: number,
): Promise<readonly UntrackedPtr[]> {
  return db.read
    .selectFrom("assignments as a")
    .innerJoin("subnets as s", "s.id", "a.subnet_id")
    .leftJoin("published_ptrs as p", "p.address", "a.address")
    .select(["a.address", "s.family", "s.cidr", "s.reverse_zone as reverseZone"])
    .where("a.subnet_id", "=", subnetId)
    .where("a.released_at", "is", null)
    .where("p.address", "is", null)
    .limit(limit)
    .execute();
}
