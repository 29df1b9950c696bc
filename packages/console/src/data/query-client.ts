import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isSessionEnd, refusalOf } from "./api-errors.ts";
import { session, sessionEnded } from "./session.ts";

/** How often what is on the screen is looked at again, unless a page says otherwise. */
const freshForMs = 10_000;
const pollEveryMs = 30_000;

export function createQueryClient(): QueryClient {
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: watchSession }),
    mutationCache: new MutationCache({
      onError: (error) => {
        watchSession(error);
        // The account says why it is frozen, and since when.
        const isFrozen = refusalOf(error)?.code === "account_frozen";
        if (isFrozen) void queries.invalidateQueries({ queryKey: ["account"] });
      },
    }),
    defaultOptions: {
      // The client retries by itself where that is safe. What it gives up on is shown, at once and
      // not "when the network is back": a change that is sent later is a change that nobody expects.
      queries: {
        retry: false,
        networkMode: "always",
        staleTime: freshForMs,
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
  return queries;
}

/** For `refetchInterval`: whoever is signed out is not asked every half minute. */
export function polling(everyMs: number = pollEveryMs): () => number | false {
  return () => (session.get().isEnded ? false : everyMs);
}

function watchSession(error: unknown): void {
  if (isSessionEnd(error)) sessionEnded();
}
