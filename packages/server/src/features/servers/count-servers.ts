import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import { prepared } from "#kernel/sql/prepared.ts";
import type { ServerState } from "#ports/schema.ts";

export interface ServerCount {
  readonly state: Exclude<ServerState, "TERMINATED">;
  readonly region: string;
  readonly servers: number;
}

const selectCounts = prepared(["accountId"], (db, { accountId }: { accountId: string }) =>
  db
    .selectFrom("servers")
    .select(["state", "region_id as region"])
    .select(sql<number>`count(*)`.as("servers"))
    .$narrowType<{ state: ServerCount["state"] }>()
    .where("account_id", "=", accountId)
    .where("state", "<>", "TERMINATED")
    .groupBy(["account_id", "state", "region_id"])
    // The whole index key, so that SQLite does not sort.
    .orderBy("account_id")
    .orderBy("state")
    .orderBy("region_id"),
);

/** How many current servers the account has, by state and region, from an index alone. */
export async function countServers({ db }: Core, accountId: string): Promise<ServerCount[]> {
  return selectCounts(db.read, { accountId });
}
