import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { signedOut } from "#data/session.ts";
import { useChange } from "#data/use-change.ts";
import { ThemeSwitch } from "#ui/theme-switch.tsx";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { LogOut } from "#ui/icons.ts";
import { deskRoutes } from "#app/urls.ts";
import { client } from "#desk/data/client.ts";
import { reads } from "#desk/data/reads.ts";

/** Who works here, in which role, and the way out. */
export function DeskCorner() {
  const { data: operator } = useQuery(reads.operator);
  const signOut = useSignOut();
  return (
    <div className="flex flex-col gap-3 border-t border-line px-2 pt-4">
      <div className="flex items-center justify-between gap-3 text-sm">
        <span className="min-w-0 truncate font-medium" title={operator?.username}>
          {operator?.username}
        </span>
        {operator !== undefined && <Badge>{operator.role}</Badge>}
      </div>
      <ThemeSwitch />
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

export function useSignOut() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useChange(async () => {
    await client.signOutOperator();
    // Nothing of what this operator saw stays in the page for whoever sits down next.
    await navigate({ to: deskRoutes.signIn });
    queries.clear();
    signedOut();
  });
}
