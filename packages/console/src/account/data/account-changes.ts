import type { ReadAccountAnswer, ReadAccountChangesAnswer } from "@ironlease/client";
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

/** Polled instead of the account and lists, which it refreshes when they have changed. */
export const accountChanges = queryOptions({
  queryKey: changesKey,
  queryFn: async ({ signal, client: queries }) => {
    const answer = await client.readAccountChanges({ signal });
    const account = queries.getQueryData<ReadAccountAnswer>(accountKey);
    const previous = queries.getQueryData<ReadAccountChangesAnswer>(changesKey);
    const hasChanged = previous !== undefined && previous.changes !== answer.changes;
    // Another tab may have signed in as another user.
    const isOther = account !== undefined && account.username !== answer.username;
    // Not with `changesKey`, which starts alike.
    if (hasChanged || isOther) {
      void queries.invalidateQueries({ queryKey: accountKey, exact: true });
    }
    if (hasChanged) {
      for (const queryKey of [summaryKey, ledgerKey, depositsKey]) {
        void queries.invalidateQueries({ queryKey });
      }
    }
    if (previous !== undefined && previous.threadChanges !== answer.threadChanges) {
      void queries.invalidateQueries({ queryKey: threadsKey });
    }
    return answer;
  },
  staleTime: 0,
  refetchInterval: polling(),
});

/** The same for a page with an open thread, where users wait for an answer. */
export const promptAccountChanges = queryOptions({
  ...accountChanges,
  refetchInterval: polling(10_000),
});

export async function refreshBalance(queries: QueryClient, signal: AbortSignal): Promise<void> {
  const changes = await client.readAccountChanges({ signal });
  // A poll that started before the credit would bring the old balance back until the next poll.
  await queries.cancelQueries({ queryKey: accountKey });
  queries.setQueryData(changesKey, changes);
  for (const queryKey of [summaryKey, ledgerKey]) void queries.invalidateQueries({ queryKey });
}
