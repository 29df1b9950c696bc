import {
  useMutation,
  useQueryClient,
  type QueryKey,
  type UseMutationOptions,
} from "@tanstack/react-query";

/** For refusals that pass by themselves. The API client retries whatever else is safe to retry. */
export type Retries = Pick<UseMutationOptions, "retry" | "retryDelay">;

/**
 * A write that is safe to repeat. Invalidates the queries in `refreshes` afterwards, even on failure:
 * a refusal often means that the data is stale.
 */
export function useChange<Request = void, Answer = unknown>(
  send: (request: Request) => Promise<Answer>,
  refreshes: readonly QueryKey[] = [],
  retries: Retries = {},
) {
  const queries = useQueryClient();
  return useMutation<Answer, Error, Request>({
    mutationFn: send,
    ...retries,
    onSettled: () => {
      for (const queryKey of refreshes) void queries.invalidateQueries({ queryKey });
    },
  });
}
