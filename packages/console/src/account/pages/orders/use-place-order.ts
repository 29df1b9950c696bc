import type { PlaceOrderRequest } from "@ironlease/client";
import { useNavigate } from "@tanstack/react-router";
import { useOnce } from "#data/use-once.ts";
import { accountRoutes, urlOf } from "#app/urls.ts";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";

/** Places an order once, and goes to the page that says what happens next. */
export function usePlaceOrder() {
  const navigate = useNavigate();
  return useOnce(
    "order",
    async (request: PlaceOrderRequest, options) => {
      const order = await client.placeOrder(request, options);
      // In place of the review: the way back must not lead to a form that orders again.
      void navigate({ to: urlOf(accountRoutes.placedOrder, { id: order.id }), replace: true });
      return order;
    },
    [
      reads.account.queryKey,
      reads.ledger.queryKey,
      reads.servers.queryKey,
      reads.orders.queryKey,
      reads.catalogue.queryKey,
    ],
  );
}
