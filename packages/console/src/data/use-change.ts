import {
  useMutation,
  useQueryClient,
  type QueryKey,
  type UseMutationOptions,
} from "@tanstack/react-query";

/** For refusals that pass by themselves. The API client retries whatever else is safe to retry. */
export type Retries = Pick<UseMutationOptions, "retry" | "retryDelay">;

export interface ChangeOptions extends Retries, Pick<UseMutationOptions, "scope"> {
  /** Pending until `refreshes` have been read, for a control that shows the chosen value meanwhile. */
  readonly untilRead?: boolean;
}

/**
 * A write that is safe to repeat. Invalidates the queries in `refreshes` afterwards, even on failure:
 * a refusal often means that the data is stale.
 */
export function useChange<Request = void, Answer = unknown>(
  send: (request: Request) => Promise<Answer>,
  refreshes: readonly QueryKey[] = [],
  { untilRead = false, ...retries }: ChangeOptions = {},
) {
  const queries = useQueryClient();
  return useMutation<Answer, Error, Request>({
    mutationFn: send,
    ...retries,
    onSettled: () => {
      const read = Promise.all(
        refreshes.map((queryKey) => queries.invalidateQueries({ queryKey })),
      );
      return untilRead ? read : undefined;
    },
  });
}
