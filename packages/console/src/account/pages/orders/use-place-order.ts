import type { PlaceOrderRequest } from "@ironlease/client";
import { useNavigate } from "@tanstack/react-router";
import { useIdempotentChange } from "#data/use-idempotent-change.ts";
import { accountRoutes, urlOf } from "#app/urls.ts";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";

/** Places an order once, then opens its confirmation page. */
export function usePlaceOrder() {
  const navigate = useNavigate();
  return useIdempotentChange(
    "order",
    async (request: PlaceOrderRequest, options) => {
      const order = await client.placeOrder(request, options);
      // Replaces the review page, so that Back does not return to the order form.
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
