import { useMutation, useQueryClient, type QueryKey } from "@tanstack/react-query";

/**
 * A write that is safe to repeat. Invalidates the queries in `refreshes` afterwards, even on failure:
 * a refusal often means that the data is stale.
 */
export function useChange<Request = void, Answer = unknown>(
  send: (request: Request) => Promise<Answer>,
  refreshes: readonly QueryKey[] = [],
) {
  const queries = useQueryClient();
  return useMutation<Answer, Error, Request>({
    mutationFn: send,
    onSettled: () => {
      for (const queryKey of refreshes) void queries.invalidateQueries({ queryKey });
    },
  });
}
