import { limits } from "@ironlease/contract";
import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import type { ReverseZoneState } from "#ports/schema.ts";
import { readReverseDnsFigure } from "./read-figure.ts";

export interface ZoneState {
  readonly zone: string;
  readonly state: ReverseZoneState;
  readonly error: string | null;
  readonly pending: number;
  readonly failed: number;
  /** 0 before the first comparison. */
  readonly comparedAt: number;
}

/** A difference between the settings and DNS that the service does not remove by itself. */
export interface Drift {
  readonly kind: "FOREIGN_RECORD" | "NOT_PUBLISHED";
  readonly name: string;
  readonly zone: string;
  readonly wanted: string;
  readonly found: string;
  readonly error: string | null;
  readonly at: number;
}

export interface ReverseDnsState {
  readonly isConnected: boolean;
  /** Why the last pass could not use the DNS server. */
  readonly error: string | null;
  readonly checkedAt: number | null;
  readonly pending: number;
  readonly failed: number;
  /** Zones with problems first. */
  readonly zones: readonly ZoneState[];
  readonly drift: readonly Drift[];
}

/** What operators see of reverse DNS. Asks the database only. */
export async function readReverseDns(core: Core): Promise<ReverseDnsState> {
  const figure = await readReverseDnsFigure(core);
  if (figure === undefined) {
    const nothing = { pending: 0, failed: 0, zones: [], drift: [] };
    return { isConnected: false, error: null, checkedAt: null, ...nothing };
  }
  const { error, checkedAt } = await core.db.read
    .selectFrom("reverse_dns_state")
    .select(["error", "checked_at as checkedAt"])
    .where("id", "=", 1)
    .executeTakeFirstOrThrow();
  const { pending, failed } = figure;
  const zones = await readZones(core);
  const drift = [...(await readForeign(core)), ...(await readFailed(core))];
  return { isConnected: true, error, checkedAt, pending, failed, zones, drift };
}

async function readZones({ db }: Core): Promise<readonly ZoneState[]> {
  const zones = await db.read
    .selectFrom("reverse_zones")
    .select(["zone", "state", "error", "compared_at as comparedAt"])
    .orderBy(sql`case state when 'FAILED' then 0 else 1 end`)
    .orderBy("zone")
    .limit(limits.listLength)
    .execute();
  const counts = await db.read
    .selectFrom("published_ptrs")
    .select(({ fn }) => ["zone", "state", fn.countAll<number>().as("count")])
    .where(sql<boolean>`state <> 'PUBLISHED'`)
    .groupBy(["zone", "state"])
    .execute();
  const countOf = (zone: string, state: string) =>
    counts.find((row) => row.zone === zone && row.state === state)?.count ?? 0;
  return zones.map((row) => ({
    ...row,
    pending: countOf(row.zone, "PENDING"),
    failed: countOf(row.zone, "FAILED"),
  }));
}

async function readForeign({ db }: Core): Promise<readonly Drift[]> {
  const rows = await db.read
    .selectFrom("foreign_ptrs as f")
    .leftJoin("published_ptrs as p", "p.name", "f.name")
    .leftJoin("assignments as a", (join) =>
      join.onRef("a.address", "=", "p.address").on("a.released_at", "is", null),
    )
    .select(["f.name", "f.zone", "f.ptr as found", "f.seen_at as at"])
    .select(sql<string>`coalesce(a.ptr, '')`.as("wanted"))
    .orderBy("f.name")
    .limit(limits.listLength)
    .execute();
  return rows.map((row) => ({ kind: "FOREIGN_RECORD", error: null, ...row }));
}

async function readFailed({ db }: Core): Promise<readonly Drift[]> {
  const rows = await db.read
    .selectFrom("published_ptrs as p")
    .leftJoin("assignments as a", (join) =>
      join.onRef("a.address", "=", "p.address").on("a.released_at", "is", null),
    )
    .leftJoin("foreign_ptrs as f", "f.name", "p.name")
    .select(["p.name", "p.zone", "p.answered as found", "p.error", "p.changed_at as at"])
    .select(sql<string>`coalesce(a.ptr, '')`.as("wanted"))
    .where(sql<boolean>`p.state <> 'PUBLISHED'`)
    .where("p.state", "=", "FAILED")
    .where("f.name", "is", null)
    .orderBy("p.changed_at")
    .limit(limits.listLength)
    .execute();
  return rows.map((row) => ({ kind: "NOT_PUBLISHED", ...row }));
}
