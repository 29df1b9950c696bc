import { limits } from "@ironlease/contract";
import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import type { WorkKind, WorkState } from "#ports/schema.ts";
import { selectWork, toRecord, type ShownState, type WorkRecord } from "./work-record.ts";

export interface WorkFilter {
  readonly kind?: WorkKind | undefined;
  readonly state?: ShownState | undefined;
  /** The last id of the previous page. */
  readonly after?: string | undefined;
}

/** A page of the queue, oldest first. */
export async function listWork(core: Core, filter: WorkFilter): Promise<readonly WorkRecord[]> {
  const query = selectWork(core.db.read)
    .where("work.id", "in", pageOf(core, filter))
    .orderBy("work.id")
    .limit(limits.listLength);
  return (await query.execute()).map((row) => toRecord(core, row));
}

/**
 * The ids of a page, and possibly a few more. Each stored state is read from its index, and only until a page is full,
 * regardless of the length of the queue. The rest of a record is read for the page only. An expired claim counts as
 * OPEN or WAITING, as in `toRecord`.
 */
function pageOf({ db, clock }: Core, { kind, state, after }: WorkFilter) {
  const ids = (stored?: WorkState) => {
    let query = db.read.selectFrom("work").select("id").orderBy("id").limit(limits.listLength);
    if (stored !== undefined) query = query.where("state", "=", sql.lit(stored));
    if (after !== undefined) query = query.where("id", ">", after);
    if (kind !== undefined) query = query.where("kind", "=", kind);
    return query;
  };
  const all = (page: ReturnType<typeof ids>) => db.read.selectFrom(page.as("page")).select("id");
  const now = clock.now();
  if (state === "OPEN" || state === "WAITING") {
    const isWaiting = state === "WAITING" ? "is not" : "is";
    const free = ids("OPEN").where("waiting_since", isWaiting, null);
    const lapsed = ids("CLAIMED").where("waiting_since", isWaiting, null);
    return all(free).unionAll(all(lapsed.where("lease_until", "<=", now)));
  }
  return all(state === "CLAIMED" ? ids(state).where("lease_until", ">", now) : ids(state));
}
