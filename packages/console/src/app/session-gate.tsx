import { useQuery, useQueryClient, type UseQueryOptions } from "@tanstack/react-query";
import { useEffect, useRef, type ReactNode } from "react";
import { isSessionEnd } from "#data/api-errors.ts";
import { session, sessionBegan } from "#data/session.ts";
import { useStore } from "#data/store.ts";
import { Loaded, Skeleton } from "#ui/states.tsx";
import { OverlayRoot } from "#ui/overlay-root.tsx";

/**
 * Shows its pages to whoever is signed in, and the sign-in in their place to everybody else, at the
 * same address. When a session ends in the middle of something, the page is not taken down but only
 * put out of sight: after the next sign-in one is where one was, with everything that was typed.
 */
export function SessionGate<Account extends { readonly username: string }>({
  account,
  signIn,
  children,
}: {
  readonly account: UseQueryOptions<Account, Error, Account, string[]>;
  /** Given the name of whose session has ended, if one has. */
  readonly signIn: (username: string | undefined) => ReactNode;
  readonly children: ReactNode;
}) {
  const query = useQuery(account);
  const { isEnded, username: owner } = useStore(session);
  const { data, error, dataUpdatedAt } = query;
  const username = data?.username;
  useEffect(() => {
    // Every time that the service says whose session it is, also when another tab has begun it.
    const isSaid = dataUpdatedAt > 0 && !isSessionEnd(error);
    if (username !== undefined && isSaid) sessionBegan(username);
  }, [username, error, dataUpdatedAt]);
  useForgetting(username);
  if (username === undefined) {
    if (isSessionEnd(error)) return signIn(undefined);
    return (
      <Loaded query={query} loading={<Opening />}>
        {() => null}
      </Loaded>
    );
  }
  return (
    <>
      {isEnded && signIn(username)}
      {/* What the tab keeps is looked up under the session's username: no page before it is this one. */}
      {owner === username ? (
        <div key={username} hidden={isEnded} inert={isEnded}>
          <OverlayRoot>{children}</OverlayRoot>
        </div>
      ) : (
        !isEnded && <Opening />
      )}
    </>
  );
}

function Opening() {
  return (
    <div role="status" aria-label="Loading" className="mx-auto flex max-w-5xl flex-col gap-6 p-8">
      <Skeleton className="h-8 w-48" />
      <Skeleton className="h-40 w-full" />
      <Skeleton className="h-40 w-full" />
    </div>
  );
}

/** When another tab has signed somebody else in, nothing that was read for the first stays. */
function useForgetting(username: string | undefined): void {
  const queries = useQueryClient();
  const last = useRef(username);
  useEffect(() => {
    if (last.current !== undefined && username !== undefined && last.current !== username) {
      queries.removeQueries({ type: "inactive" });
      void queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== "account" });
    }
    last.current = username;
  }, [username, queries]);
}
