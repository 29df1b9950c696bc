import { useQuery, useQueryClient, type UseQueryOptions } from "@tanstack/react-query";
import { useEffect, useRef, type ReactNode } from "react";
import { isSessionError } from "#data/api-errors.ts";
import { session, startSession } from "#data/session.ts";
import { useStore } from "#data/store.ts";
import { Loaded, Skeleton } from "#ui/states.tsx";
import { OverlayRoot } from "#ui/overlay-root.tsx";

/**
 * Shows the sign-in form instead of its pages until a user signs in, at the same URL. When a session
 * ends, the page stays mounted but hidden, so that after signing in again nothing typed is lost.
 */
export function SessionGate<Account extends { readonly username: string }>({
  account,
  signIn,
  children,
}: {
  readonly account: UseQueryOptions<Account, Error, Account, string[]>;
  /** Receives the username whose session ended, if any. */
  readonly signIn: (username: string | undefined) => ReactNode;
  readonly children: ReactNode;
}) {
  const query = useQuery(account);
  const { isEnded, username: owner } = useStore(session);
  const { data, error, dataUpdatedAt } = query;
  const username = data?.username;
  useEffect(() => {
    // On every answer, because another tab may have signed in as another user.
    const isConfirmed = dataUpdatedAt > 0 && !isSessionError(error);
    if (username !== undefined && isConfirmed) startSession(username);
  }, [username, error, dataUpdatedAt]);
  useResetOnUserChange(username);
  if (username === undefined) {
    if (isSessionError(error)) return signIn(undefined);
    return (
      <Loaded query={query} loading={<LoadingShell />}>
        {() => null}
      </Loaded>
    );
  }
  return (
    <>
      {isEnded && signIn(username)}
      {/* Drafts and intents are stored per username, so no page mounts before it is known. */}
      {owner === username ? (
        <div key={username} hidden={isEnded} inert={isEnded}>
          <OverlayRoot>{children}</OverlayRoot>
        </div>
      ) : (
        !isEnded && <LoadingShell />
      )}
    </>
  );
}

function LoadingShell() {
  return (
    <div role="status" aria-label="Loading" className="mx-auto flex max-w-5xl flex-col gap-6 p-8">
      <Skeleton className="h-8 w-48" />
      <Skeleton className="h-40 w-full" />
      <Skeleton className="h-40 w-full" />
    </div>
  );
}

/** Drops cached data when another tab has signed in as another user. */
function useResetOnUserChange(username: string | undefined): void {
  const queries = useQueryClient();
  const last = useRef(username);
  useEffect(() => {
    if (last.current !== undefined && username !== undefined && last.current !== username) {
      queries.removeQueries({ type: "inactive" });
      // All but the account itself, which has the other user already.
      void queries.resetQueries({ predicate: ({ queryKey }) => queryKey.join("/") !== "account" });
    }
    last.current = username;
  }, [username, queries]);
}
