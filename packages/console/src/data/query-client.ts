import { MutationCache, notifyManager, QueryCache, QueryClient } from "@tanstack/react-query";
import { apiErrorOf, isOutage, isSessionError } from "./api-errors.ts";
import { session, endSession } from "./session.ts";

/** Defaults; a query may override them. */
const staleAfterMs = 10_000;
const pollEveryMs = 30_000;
/** After a failure that passes by itself, such as a service that restarts. */
const pollAfterFailureMs = 10_000;

// By default a change is rendered after a timer. A box that was ticked would be drawn unticked until then.
notifyManager.setScheduler(queueMicrotask);

export function createQueryClient(): QueryClient {
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: watchSession }),
    mutationCache: new MutationCache({
      onError: (error) => {
        watchSession(error);
        // The account carries the reason and date of the freeze.
        const isFrozen = apiErrorOf(error)?.code === "account_frozen";
        if (isFrozen) void queries.invalidateQueries({ queryKey: ["account"] });
      },
    }),
    defaultOptions: {
      // The API client retries where that is safe. A failure shows at once: sending a change later,
      // when the network is back, would surprise the user.
      queries: {
        retry: false,
        networkMode: "always",
        staleTime: staleAfterMs,
        refetchInterval: polling(Infinity),
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
  return queries;
}

interface Polled {
  readonly state: { readonly error: Error | null };
}

/**
 * For `refetchInterval`. With `Infinity`, only a read that failed in an outage is repeated. Polling stops after the
 * session ends.
 */
export function polling(everyMs: number = pollEveryMs): (query: Polled) => number | false {
  return ({ state: { error } }) => {
    if (session.get().isEnded) return false;
    const waitMs = isOutage(error) ? Math.min(everyMs, pollAfterFailureMs) : everyMs;
    return waitMs === Infinity ? false : waitMs;
  };
}

function watchSession(error: unknown): void {
  if (isSessionError(error)) endSession();
}
