import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import type { ReverseDnsFigure } from "#ports/metrics.ts";

/** How many records are not as they are set. Undefined when no DNS server is connected. */
export async function readReverseDnsFigure(core: Core): Promise<ReverseDnsFigure | undefined> {
  if (core.reverseDns === undefined) return undefined;
  const rows = await core.db.read
    .selectFrom("published_ptrs")
    .select(({ fn }) => ["state", fn.countAll<number>().as("count")])
    .select(({ fn }) => fn.min("changed_at").as("oldestAt"))
    .where(sql<boolean>`state <> 'PUBLISHED'`)
    .groupBy("state")
    .execute();
  const countOf = (state: string) => rows.find((row) => row.state === state)?.count ?? 0;
  const now = core.clock.now();
  const ages = rows.map(({ oldestAt }) => now - oldestAt);
  return {
    pending: countOf("PENDING"),
    failed: countOf("FAILED"),
    oldestAgeMs: Math.max(0, ...ages),
  };
}
