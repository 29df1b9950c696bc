import type { TxScope } from "#kernel/call.ts";
import type { ReverseZoneState } from "#ports/schema.ts";

/** What a pass writes about zones. */

export interface ZoneOutcome {
  readonly state: ReverseZoneState;
  readonly error: string | null;
  /** Set when all records were compared. */
  readonly comparedAt?: number | undefined;
}

export async function noteZone(
  { tx }: TxScope,
  zone: string,
  { state, error, comparedAt }: ZoneOutcome,
): Promise<void> {
  await tx
    .updateTable("reverse_zones")
    .set({ state, error, ...(comparedAt !== undefined && { compared_at: comparedAt }) })
    .where("zone", "=", zone)
    .execute();
}

/** Has the next passes compare all records of all zones. */
export async function requestComparison({ tx }: TxScope): Promise<void> {
  await tx.updateTable("reverse_zones").set({ compared_at: 0 }).execute();
  await tx.updateTable("reverse_dns_state").set({ discovered_at: 0 }).where("id", "=", 1).execute();
}

export interface ForeignPtr {
  readonly name: string;
  readonly ptr: string;
}

/** Replaces what was known about foreign records in a zone. */
export async function noteForeignPtrs(
  { tx, core }: TxScope,
  zone: string,
  found: readonly ForeignPtr[],
): Promise<void> {
  await tx.deleteFrom("foreign_ptrs").where("zone", "=", zone).execute();
  if (found.length === 0) return;
  const seen_at = core.clock.now();
  await tx
    .insertInto("foreign_ptrs")
    .values(found.map(({ name, ptr }) => ({ name, zone, ptr, seen_at })))
    .execute();
}
