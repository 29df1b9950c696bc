import type { PreparePayoutRequest } from "@ironlease/client/operator";
import { useNavigate } from "@tanstack/react-router";
import { useIdempotentChange } from "#data/use-idempotent-change.ts";
import { deskRoutes, urlOf } from "#app/urls.ts";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";

/** Prepares a payout, once per intent even if an answer is lost, and opens it. */
export function usePreparePayout() {
  const navigate = useNavigate();
  return useIdempotentChange(
    "payout",
    async (request: PreparePayoutRequest, options) => {
      const payout = await client.preparePayout(request, options);
      await navigate({ to: urlOf(deskRoutes.payout, { id: payout.id }) });
      return payout;
    },
    [keys.payouts, keys.work],
  );
}
