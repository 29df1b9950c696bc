import { limits } from "@ironlease/contract";
import type { Core } from "../../kernel/core.ts";
import type { Term } from "../../ports/schema.ts";

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

/** The account's latest orders, newest first, each with its servers: two queries however many. */
export async function listOrders(core: Core, accountId: string): Promise<readonly OrderRecord[]> {
  const orders = await core.db.read
    .selectFrom("orders")
    .select([
      "id",
      "config_id as configId",
      "region_id as regionId",
      "os_id as osId",
      "term",
      "quantity",
      "total_cents as totalCents",
      "created_at as createdAt",
    ])
    .where("account_id", "=", accountId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limits.listLength)
    .execute();
  if (orders.length === 0) return [];
  const servers = await core.db.read
    .selectFrom("servers")
    .select(["id", "order_id"])
    .where("account_id", "=", accountId)
    .where(
      "order_id",
      "in",
      orders.map(({ id }) => id),
    )
    .orderBy("id")
    .execute();
  const byOrder = Map.groupBy(servers, (server) => server.order_id);
  return orders.map((order) => ({
    ...order,
    serverIds: (byOrder.get(order.id) ?? []).map(({ id }) => id),
  }));
}
