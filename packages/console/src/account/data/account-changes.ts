import type { ReadAccountChangesAnswer } from "@ironlease/client";
import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { polling } from "#data/query-client.ts";
import { client } from "./client.ts";

export const accountKey = ["account"];
export const ledgerKey = ["ledger"];
export const depositsKey = ["deposits"];
export const threadsKey = ["threads"];
/** Below the account, so that a change of the account refreshes them, too. */
export const summaryKey = [...accountKey, "summary"];
const changesKey = [...accountKey, "changes"];

/** Polled instead of lists, which it refreshes when they have changed. */
export const accountChanges = queryOptions({
  queryKey: changesKey,
  queryFn: async ({ signal, client: queries }) => {
    const answer = await client.readAccountChanges({ signal });
    const previous = queries.getQueryData<ReadAccountChangesAnswer>(changesKey);
    if (previous === undefined) return answer;
    if (previous.changes !== answer.changes) {
      // Not with `changesKey`, which starts alike.
      void queries.invalidateQueries({ queryKey: accountKey, exact: true });
      for (const queryKey of [summaryKey, ledgerKey, depositsKey]) {
        void queries.invalidateQueries({ queryKey });
      }
    }
    if (previous.threadChanges !== answer.threadChanges) {
      void queries.invalidateQueries({ queryKey: threadsKey });
    }
    return answer;
  },
  staleTime: 0,
  refetchInterval: polling(),
});

export async function refreshBalance(queries: QueryClient, signal: AbortSignal): Promise<void> {
  const [changes, account] = await Promise.all([
    client.readAccountChanges({ signal }),
    client.readAccount({ signal }),
  ]);
  // A poll that started before the credit would bring the old balance back until the next poll.
  await queries.cancelQueries({ queryKey: accountKey });
  queries.setQueryData(changesKey, changes);
  queries.setQueryData(accountKey, account);
  void queries.invalidateQueries({ queryKey: ledgerKey });
}
