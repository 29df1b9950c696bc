import { limits, type Operations, type QueryOf } from "@ironlease/contract";
import { sql, type Kysely, type RawBuilder } from "kysely";
import { assignmentColumns, type AssignmentRecord } from "#kernel/assignment-record.ts";
import type { Core } from "#kernel/core.ts";
import { containing } from "#kernel/sql/patterns.ts";
import type { Schema } from "#ports/schema.ts";
import { recordColumns, type ServerRecord } from "./server-record.ts";

export type ServerFilter = QueryOf<Operations["listServers"]>;

export interface ServerPage {
  readonly servers: readonly ServerRecord[];
  /** The addresses of these servers, if they are asked for. */
  readonly assignments: ReadonlyMap<string, readonly AssignmentRecord[]> | undefined;
}

/** The largest safe integer: servers without a paid term come last. */
const never = sql.lit(Number.MAX_SAFE_INTEGER);

interface Order {
  readonly key: RawBuilder<unknown>;
  readonly direction: "asc" | "desc";
}

const orders: Readonly<Record<NonNullable<ServerFilter["sort"]>, Order>> = {
  createdAt: { key: sql`created_at`, direction: "desc" },
  paidThrough: { key: sql`coalesce(paid_through, ${never})`, direction: "asc" },
  name: {
    key: sql`lower(case label when '' then coalesce(hostname, '') else label end)`,
    direction: "asc",
  },
};

/** A literal, which SQLite needs to choose the partial index. */
const isCurrent = sql<boolean>`state <> 'TERMINATED'`;

/** A page of the account's current servers, and their addresses, each in one query. */
export async function listServerPage(
  { db }: Core,
  accountId: string,
  filter: ServerFilter,
): Promise<ServerPage> {
  const servers = await selectPage(db.read, accountId, filter).execute();
  if (filter.include === undefined) return { servers, assignments: undefined };
  const ids = servers.map(({ id }) => id);
  const assignments = ids.length === 0 ? [] : await selectAssignments(db.read, accountId, ids);
  return { servers, assignments: Map.groupBy(assignments, ({ serverId }) => serverId) };
}

function selectPage(db: Kysely<Schema>, accountId: string, filter: ServerFilter) {
  const { state, regionId, query = "", after, sort = "createdAt" } = filter;
  const { key, direction } = orders[sort];
  let page = db
    .selectFrom("servers")
    .select(recordColumns)
    .where("account_id", "=", accountId)
    .where(isCurrent)
    .orderBy(key, direction)
    .orderBy("id", direction)
    .limit(sql.lit(Number(filter.limit ?? limits.listLength)));
  if (state !== undefined) page = page.where("state", "=", state);
  if (regionId !== undefined) page = page.where("region_id", "=", regionId);
  if (query.trim() !== "") page = page.where(matches(query.trim()));
  if (after !== undefined && after !== "") {
    const follows = direction === "asc" ? sql`>` : sql`<`;
    // A server that ended while the customer paged still has its place, but another account's has none.
    page = page.where(
      sql<boolean>`(${key}, id) ${follows} ((
        select ${key} from servers where id = ${after} and account_id = ${accountId}
      ), ${after})`,
    );
  }
  return page;
}

function matches(query: string): RawBuilder<boolean> {
  const text = containing(query);
  return sql<boolean>`(
    id = ${query}
    or lower(label) like lower(${text}) escape '\\'
    or hostname like lower(${text}) escape '\\'
    or exists (
      select 1 from assignments
      where server_id = servers.id and released_at is null
        and address like lower(${text}) escape '\\'
    )
  )`;
}

/** Far more than the addresses of one page of servers. */
const maxAssignments = 10_000;

/** The account is a condition on each server, because SQLite would start from all servers of the account. */
function selectAssignments(db: Kysely<Schema>, accountId: string, serverIds: readonly string[]) {
  return db
    .selectFrom("assignments")
    .leftJoin("published_ptrs", "published_ptrs.address", "assignments.address")
    .select(assignmentColumns)
    .where("assignments.server_id", "in", serverIds)
    .where("assignments.released_at", "is", null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("servers")
          .select("servers.id")
          .whereRef("servers.id", "=", "assignments.server_id")
          .where("servers.account_id", "=", accountId),
      ),
    )
    .orderBy("assignments.created_at")
    .orderBy("assignments.id")
    .limit(maxAssignments)
    .execute();
}
