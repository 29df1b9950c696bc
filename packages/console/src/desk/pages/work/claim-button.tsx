import type { WorkItem } from "@ironlease/client/operator";
import { useNavigate } from "@tanstack/react-router";
import { Button, LinkButton } from "#ui/button.tsx";
import { deskRoutes, urlOf } from "#app/urls.ts";
import { client } from "#desk/data/client.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { useWorkStep } from "./use-work-step.ts";

/** Claims an item and opens its page, which also shows a failed claim. */
export function ClaimButton({ item }: { readonly item: WorkItem }) {
  const { canWork, username } = usePermissions();
  const navigate = useNavigate();
  const claim = useWorkStep(client.claimWork);
  const to = urlOf(deskRoutes.workItem, { id: item.id });
  const name = <span className="sr-only"> {item.id}</span>;
  if (item.state === "CLAIMED" && item.claimedBy === username) {
    return (
      <LinkButton size="small" to={to}>
        Continue{name}
      </LinkButton>
    );
  }
  if (item.state !== "OPEN" || !canWork(item.kind)) {
    return (
      <LinkButton size="small" variant="quiet" to={to}>
        View{name}
      </LinkButton>
    );
  }
  return (
    <Button
      size="small"
      isPending={claim.isPending}
      onClick={() =>
        claim.mutate({ id: item.id }, { onSettled: () => void navigate({ to, search: {} }) })
      }
    >
      Claim{name}
    </Button>
  );
}
