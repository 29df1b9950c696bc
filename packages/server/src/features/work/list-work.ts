import { limits } from "@ironlease/contract";
import { sql, type SqlBool } from "kysely";
import type { Core } from "#kernel/core.ts";
import type { WorkKind, WorkState } from "#ports/schema.ts";
import { selectWork, toRecord, type ShownState, type WorkRecord } from "./work-record.ts";

export interface WorkFilter {
  readonly kind?: WorkKind | undefined;
  readonly state?: ShownState | undefined;
  readonly regionId?: string | undefined;
  readonly accountId?: string | undefined;
  /** A username: what is assigned to this operator, and what they hold or have ended. */
  readonly operator?: string | undefined;
  readonly minimumAgeHours?: string | undefined;
  /** Only what has taken longer than its target. */
  readonly overdue?: "true" | undefined;
  /** The last id of the previous page. */
  readonly after?: string | undefined;
}

/** A page of the queue, oldest first. */
export async function listWork(core: Core, filter: WorkFilter): Promise<readonly WorkRecord[]> {
  const pages = statesOf(filter).flatMap((stored) => idsOf(core, stored, filter));
  const [first, ...others] = pages.map((page) =>
    core.db.read.selectFrom(page.as("page")).select("id"),
  );
  if (first === undefined) return [];
  const ids = others.reduce((all, page) => all.unionAll(page), first);
  const query = selectWork(core.db.read)
    .where("work.id", "in", ids)
    .orderBy("work.id")
    .limit(limits.listLength);
  return (await query.execute()).map((row) => toRecord(core, row));
}

/** The stored states that can be shown as the filter's state. An expired claim counts as OPEN or WAITING. */
function statesOf({ state, overdue }: WorkFilter): readonly WorkState[] {
  const states = storedAs(state);
  return overdue === undefined
    ? states
    : states.filter((each) => each === "OPEN" || each === "CLAIMED");
}

function storedAs(state: ShownState | undefined): readonly WorkState[] {
  if (state === undefined) return ["OPEN", "CLAIMED", "DONE", "FAILED"];
  return state === "OPEN" || state === "WAITING" ? ["OPEN", "CLAIMED"] : [state];
}

/**
 * The ids of a page, one query for each index that finds them. Each reads one stored state, and only until a page is
 * full, regardless of the length of the queue. The rest of a record is read for the page only.
 */
function idsOf(core: Core, stored: WorkState, filter: WorkFilter) {
  const { kind, regionId, accountId, operator } = filter;
  let query = core.db.read.selectFrom("work").select("id").orderBy("id").limit(limits.listLength);
  // An account has little work, so its index is best. The expression keeps the engines from that of the state.
  query =
    given(accountId) === undefined
      ? query.where("state", "=", sql.lit(stored))
      : query
          .where("account_id", "=", accountId ?? "")
          .where(sql<SqlBool>`coalesce(state, '') = ${stored}`);
  if (kind !== undefined) query = query.where("kind", "=", kind);
  if (given(regionId) !== undefined) query = query.where("region_id", "=", regionId ?? "");
  for (const condition of shown(core, stored, filter)) query = query.where(condition);
  for (const condition of timing(core, filter)) query = query.where(condition);
  const username = given(operator)?.toLowerCase();
  if (username === undefined) return [query];
  const id = sql<string>`(select id from operators where username = ${username})`;
  const assigned = query.where("assigned_to", "=", id);
  const held = query.where("claimed_by", "=", id);
  if (stored === "OPEN") return [assigned];
  // A claim by another operator does not end the assignment.
  return stored === "CLAIMED" ? [assigned, held] : [held];
}

/** Whether an item in a stored state is shown in the filter's state, as in `toRecord`. */
function shown({ clock }: Core, stored: WorkState, { state, overdue }: WorkFilter) {
  const now = clock.now();
  if (stored === "CLAIMED" && state === "CLAIMED") return [sql<SqlBool>`lease_until > ${now}`];
  const lapsed = stored === "CLAIMED" ? [sql<SqlBool>`lease_until <= ${now}`] : [];
  if (state === "WAITING") return [...lapsed, sql<SqlBool>`waiting_since is not null`];
  if (state === "OPEN") return [...lapsed, sql<SqlBool>`waiting_since is null`];
  if (overdue === undefined) return [];
  return stored === "OPEN"
    ? [sql<SqlBool>`waiting_since is null`]
    : [sql<SqlBool>`(waiting_since is null or lease_until > ${now})`];
}

/** Ids sort by time of creation, so the age is a range of ids. */
function timing(core: Core, { minimumAgeHours, overdue, after }: WorkFilter) {
  const now = core.clock.now();
  const before = (time: number) => sql<SqlBool>`id < ${core.ids.floor("work", time + 1)}`;
  const conditions = [];
  if (after !== undefined) conditions.push(sql<SqlBool>`id > ${after}`);
  const hours = given(minimumAgeHours);
  if (hours !== undefined) conditions.push(before(now - Number(hours) * 3_600_000));
  if (overdue !== undefined) {
    const targets = Object.entries(core.rules.workTargetsMs);
    const late = targets.map(([kind, ms]) => sql`(kind = ${kind} and ${before(now - ms)})`);
    conditions.push(sql<SqlBool>`(${sql.join(late, sql` or `)})`);
  }
  return conditions;
}

/** An empty form field means no filter. */
function given(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}
