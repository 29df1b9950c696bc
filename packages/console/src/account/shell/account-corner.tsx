import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { BookOpen, LogOut } from "#ui/icons.ts";
import { signedOut } from "#data/session.ts";
import { useChange } from "#data/use-change.ts";
import { ThemeSwitch } from "#ui/theme-switch.tsx";
import { Button } from "#ui/button.tsx";
import { Money } from "#ui/money.tsx";
import { accountRoutes, referenceUrl } from "#app/urls.ts";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";

/** Whose account it is, what is on it, and the way out. */
export function AccountCorner() {
  const { data: account } = useQuery(reads.account);
  const signOut = useSignOut();
  return (
    <div className="flex flex-col gap-3 border-t border-line px-2 pt-4">
      <div className="flex items-baseline justify-between gap-3 text-sm">
        <span className="min-w-0 truncate font-medium" title={account?.username}>
          {account?.username}
        </span>
        {account !== undefined && <Money usd={account.balanceUsd} className="text-quiet" />}
      </div>
      <div className="flex items-center justify-between gap-2">
        <ThemeSwitch />
        <a
          href={referenceUrl}
          className="flex min-h-9 items-center gap-2 rounded-md px-2 text-sm text-quiet hover:bg-raised hover:text-text"
        >
          <BookOpen aria-hidden className="size-4" />
          API
        </a>
      </div>
      <Button
        size="small"
        isPending={signOut.isPending}
        icon={<LogOut aria-hidden className="size-4" />}
        onClick={() => signOut.mutate()}
      >
        Sign out
      </Button>
      {signOut.isError && (
        <p role="alert" className="text-sm text-bad">
          You are still signed in: the service could not be reached.
        </p>
      )}
    </div>
  );
}

function useSignOut() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useChange(async () => {
    await client.signOut();
    // Nothing of this account stays in the page for whoever sits down next.
    await navigate({ to: accountRoutes.signIn });
    queries.clear();
    signedOut();
  });
}
