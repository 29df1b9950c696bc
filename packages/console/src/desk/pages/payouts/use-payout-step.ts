import type { ReadPayoutAnswer as Payout } from "@ironlease/client/operator";
import { useQueryClient } from "@tanstack/react-query";
import { useChange } from "#data/use-change.ts";
import { keys, reads } from "#desk/data/reads.ts";

/** A write to a payout. Caches the returned payout, so that the page does not flicker. */
export function usePayoutStep<Request extends { readonly id: string }>(
  send: (request: Request) => Promise<Payout>,
) {
  const queries = useQueryClient();
  return useChange(
    async (request: Request) => {
      const payout = await send(request);
      queries.setQueryData(reads.payout(request.id).queryKey, payout);
      return payout;
    },
    [keys.payouts, keys.work, keys.overview, keys.accounts, keys.settlement],
  );
}
