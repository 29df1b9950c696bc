import { usdFromCents } from "@ironlease/contract";
import { listOrders, type OrderRecord } from "#features/orders/list-orders.ts";
import { placeOrder } from "#features/orders/place-order.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

export function orderHandlers(core: Core): Handlers<"placeOrder" | "listOrders"> {
  return {
    placeOrder: async ({ core, caller, body }) => {
      const result = await placeOrder(core, caller, body);
      if (!result.ok) return result;
      const { serverIds, ...answer } = result.value.body;
      return ok({ ...result.value, status: 201, body: { ...answer, serverIds: [...serverIds] } });
    },
    listOrders: async ({ account }) => {
      const orders = await listOrders(core, account.accountId);
      return ok({ status: 200, body: { orders: orders.map(orderOnWire) } });
    },
  };
}

export function orderOnWire({ totalCents, serverIds, ...order }: OrderRecord) {
  return {
    ...order,
    status: "ACCEPTED" as const,
    totalUsd: usdFromCents(totalCents),
    createdAt: isoTime(order.createdAt),
    serverIds: [...serverIds],
  };
}
