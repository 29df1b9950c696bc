import { usdFromCents } from "@ironlease/contract";
import { listOrders, type OrderRecord } from "#features/orders/list-orders.ts";
import { placeOrder } from "#features/orders/place-order.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#ports/clock.ts";
import { ok } from "#ports/result.ts";
import type { Handlers } from "#http/bind.ts";
import { KeptBodies } from "#http/kept-bodies.ts";

export function orderHandlers(core: Core): Handlers<"placeOrder" | "listOrders"> {
  const lists = new KeptBodies<{ orders: ReturnType<typeof orderOnWire>[] }>();
  return {
    placeOrder: async ({ core, client, account, intent, body }) => {
      const result = await placeOrder(core, client, account.accountId, intent, body);
      if (!result.ok) return result;
      const { serverIds, ...answer } = result.value.body;
      return ok({ ...result.value, status: 201, body: { ...answer, serverIds: [...serverIds] } });
    },
    listOrders: ({ account }) =>
      lists.answer(account, async (accountId) => {
        const orders = await listOrders(core, accountId);
        return { orders: orders.map(orderOnWire) };
      }),
  };
}

/** An order as its owner and the operators see it. */
export function orderOnWire({ totalCents, serverIds, ...order }: OrderRecord) {
  return {
    ...order,
    status: "ACCEPTED" as const,
    totalUsd: usdFromCents(totalCents),
    createdAt: isoTime(order.createdAt),
    serverIds: [...serverIds],
  };
}
