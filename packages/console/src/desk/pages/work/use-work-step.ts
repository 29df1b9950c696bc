import type { WorkItem } from "@ironlease/client/operator";
import { useQueryClient } from "@tanstack/react-query";
import { useChange } from "#data/use-change.ts";
import { keys, reads } from "#desk/data/reads.ts";

/**
 * A write to an item. Caches the returned item, so that the page does not flicker. One at a time, so that an older
 * answer does not replace a newer one.
 */
export function useWorkStep<Request extends { readonly id: string }>(
  send: (request: Request) => Promise<WorkItem>,
) {
  const queries = useQueryClient();
  return useChange(
    async (request: Request) => {
      const item = await send(request);
      queries.setQueryData(reads.workItem(request.id).queryKey, item);
      return item;
    },
    [keys.work, keys.overview, keys.accounts],
    { scope: { id: "work" } },
  );
}
