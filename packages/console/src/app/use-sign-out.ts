import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { clearSession } from "#data/session.ts";
import { useChange } from "#data/use-change.ts";

/** Ends the session, then clears everything the page has read, so that the next user sees none of it. */
export function useSignOut(send: () => Promise<unknown>, signInUrl: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useChange(async () => {
    await send();
    await navigate({ to: signInUrl });
    queries.clear();
    clearSession();
  });
}
