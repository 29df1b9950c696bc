import type { Kysely } from "kysely";
import { limits } from "@ironlease/contract";
import type { Core } from "#kernel/core.ts";
import { comesAfter, type PageStart } from "#kernel/sql/keyset.ts";
import { prepared } from "#kernel/sql/prepared.ts";
import type { Schema, Term } from "#ports/schema.ts";

export interface OrderRecord {
  readonly id: string;
  readonly configId: string;
  readonly regionId: string;
  readonly osId: string;
  readonly term: Term;
  readonly quantity: number;
  readonly totalCents: number;
  readonly createdAt: number;
  readonly serverIds: readonly string[];
}

const latest = (db: Kysely<Schema>, accountId: string) =>
  db
    .selectFrom("orders")
    .where("account_id", "=", accountId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limits.listLength);

const following = (db: Kysely<Schema>, start: PageStart) =>
  latest(db, start.accountId).where(comesAfter("orders", "created_at", start));

const columns = [
  "id",
  "config_id as configId",
  "region_id as regionId",
  "os_id as osId",
  "term",
  "quantity",
  "total_cents as totalCents",
  "created_at as createdAt",
] as const;

const serversOf = (db: Kysely<Schema>, accountId: string) =>
  db
    .selectFrom("servers")
    .select(["id", "order_id"])
    .where("account_id", "=", accountId)
    .orderBy("id");

type First = { accountId: string };
type Next = { accountId: string; after: string };

const selectOrders = prepared(["accountId"], (db, { accountId }: First) =>
  latest(db, accountId).select(columns),
);
const selectServers = prepared(["accountId"], (db, { accountId }: First) =>
  serversOf(db, accountId).where("order_id", "in", latest(db, accountId).select("id")),
);
const selectNextOrders = prepared(["accountId", "after"], (db, start: Next) =>
  following(db, start).select(columns),
);
const selectNextServers = prepared(["accountId", "after"], (db, start: Next) =>
  serversOf(db, start.accountId).where("order_id", "in", following(db, start).select("id")),
);

/** A page of the account's orders, newest first, each with its servers, in two queries. */
export async function listOrders(
  { db: { read } }: Core,
  accountId: string,
  after?: string,
): Promise<readonly OrderRecord[]> {
  const orders =
    after === undefined
      ? await selectOrders(read, { accountId })
      : await selectNextOrders(read, { accountId, after });
  if (orders.length === 0) return [];
  const servers =
    after === undefined
      ? await selectServers(read, { accountId })
      : await selectNextServers(read, { accountId, after });
  const byOrder = Map.groupBy(servers, (server) => server.order_id);
  return orders.map((order) => ({
    ...order,
    serverIds: (byOrder.get(order.id) ?? []).map(({ id }) => id),
  }));
}
