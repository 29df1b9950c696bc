import { limits } from "@ironlease/contract";
import { sql, type RawBuilder } from "kysely";
import type { Core } from "../../kernel/core.ts";
import type { WorkKind, WorkState } from "../../ports/schema.ts";
import { selectWork, toRecord, type WorkRecord } from "./work-record.ts";

export interface WorkFilter {
  readonly kind?: WorkKind | undefined;
  readonly state?: WorkState | undefined;
  /** The last item of the page before. */
  readonly after?: string | undefined;
}

/** A page of the queue, the oldest first. */
export async function listWork(
  core: Core,
  { kind, state, after }: WorkFilter,
): Promise<readonly WorkRecord[]> {
  let query = selectWork(core.db.read).orderBy("work.id").limit(limits.listLength);
  if (after !== undefined) query = query.where("work.id", ">", after);
  if (kind !== undefined) query = query.where("work.kind", "=", kind);
  if (state !== undefined) query = query.where(isInState(state, core.clock.now()));
  return (await query.execute()).map((row) => toRecord(core, row));
}

/**
 * As `toRecord` says it. What still lives is named in literals, so that planners know how little it
 * is: found by its state, it costs nothing to sort, while a walk from the oldest id on would pass over
 * everything that was ever done.
 */
function isInState(state: WorkState, now: number): RawBuilder<boolean> {
  const living = sql`work.state in ('OPEN', 'CLAIMED')`;
  if (state === "OPEN") {
    return sql`(${living} and (work.state = 'OPEN' or work.lease_until <= ${now}))`;
  }
  if (state === "CLAIMED") return sql`(${living} and work.lease_until > ${now})`;
  return sql`work.state = ${state}`;
}
