import type { WorkItem } from "@ironlease/client/operator";
import { useNavigate } from "@tanstack/react-router";
import { Button, LinkButton } from "#ui/button.tsx";
import { deskRoutes, urlOf } from "#app/urls.ts";
import { client } from "#desk/data/client.ts";
import { useMay } from "#desk/data/use-permissions.ts";
import { useWorkStep } from "./use-work-step.ts";

/** Takes an item out of a list and goes to it. What came in between is told on its own page. */
export function ClaimButton({ item }: { readonly item: WorkItem }) {
  const { mayWork, username } = useMay();
  const navigate = useNavigate();
  const claim = useWorkStep(client.claimWork);
  const to = urlOf(deskRoutes.workItem, { id: item.id });
  const name = <span className="sr-only"> {item.id}</span>;
  if (item.state === "CLAIMED" && item.claimedBy === username) {
    return (
      <LinkButton size="small" look="primary" to={to}>
        Go on{name}
      </LinkButton>
    );
  }
  if (item.state !== "OPEN" || !mayWork(item.kind)) {
    return (
      <LinkButton size="small" look="quiet" to={to}>
        Look{name}
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
