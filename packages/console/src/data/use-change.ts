import { useMutation, useQueryClient, type QueryKey } from "@tanstack/react-query";

/**
 * A change that may be made again without harm. `refreshes` names what is to be read anew after it,
 * whether it went well or not: a refusal often means that something has changed meanwhile.
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
