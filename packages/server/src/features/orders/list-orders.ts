import type { Kysely } from "kysely";
import { limits } from "@ironlease/contract";
import type { Core } from "../../kernel/core.ts";
import { prepared } from "../../ports/prepared.ts";
import type { Schema, Term } from "../../ports/schema.ts";

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

const selectOrders = prepared(["accountId"], (db, { accountId }: { accountId: string }) =>
  latest(db, accountId).select([
    "id",
    "config_id as configId",
    "region_id as regionId",
    "os_id as osId",
    "term",
    "quantity",
    "total_cents as totalCents",
    "created_at as createdAt",
  ]),
);

const selectServers = prepared(["accountId"], (db, { accountId }: { accountId: string }) =>
  db
    .selectFrom("servers")
    .select(["id", "order_id"])
    .where("account_id", "=", accountId)
    .where("order_id", "in", latest(db, accountId).select("id"))
    .orderBy("id"),
);

/** The account's latest orders, newest first, each with its servers: two queries however many. */
export async function listOrders(core: Core, accountId: string): Promise<readonly OrderRecord[]> {
  const orders = await selectOrders(core.db.read, { accountId });
  if (orders.length === 0) return [];
  const servers = await selectServers(core.db.read, { accountId });
  const byOrder = Map.groupBy(servers, (server) => server.order_id);
  return orders.map((order) => ({
    ...order,
    serverIds: (byOrder.get(order.id) ?? []).map(({ id }) => id),
  }));
}
