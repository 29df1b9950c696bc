import type { WorkItem } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { Button, LinkButton } from "#ui/button.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Send } from "#ui/icons.ts";
import { Notice } from "#ui/notice.tsx";
import { UnansweredNotice } from "#ui/unanswered-notice.tsx";
import { deskRoutes, urlOf } from "#app/urls.ts";
import { reads } from "#desk/data/reads.ts";
import { usePreparePayout } from "#desk/shared/use-prepare-payout.ts";
import { withdrawalOf } from "#desk/shared/work-detail.ts";

/** The payout that pays a withdrawal, or a button that prepares one where the chain is connected. */
export function PayoutOffer({ item }: { readonly item: WorkItem }) {
  const { asset } = withdrawalOf(item);
  const { data: settlement } = useQuery(reads.settlement);
  const chain = settlement?.chains.find(({ assets }) => assets.some((one) => one === asset));
  if (item.payoutId !== undefined) return <InPayout id={item.payoutId} />;
  if (chain === undefined || chain.mode === "SIMULATED") return null;
  return <PrepareButton item={item} />;
}

function InPayout({ id }: { readonly id: string }) {
  return (
    <Notice
      title="In a payout"
      actions={
        <LinkButton size="small" to={urlOf(deskRoutes.payout, { id })}>
          View payout
        </LinkButton>
      }
    >
      <p>It cannot be paid or rejected otherwise until the payout is cancelled.</p>
    </Notice>
  );
}

function PrepareButton({ item: { id } }: { readonly item: WorkItem }) {
  const prepare = usePreparePayout();
  const { unanswered } = prepare;
  return (
    <div className="flex flex-col gap-3 border-b border-line pb-5">
      {unanswered === undefined ? (
        prepare.error !== null && <ErrorNotice error={prepare.error} />
      ) : (
        <UnansweredNotice
          what="Your payout"
          at={unanswered.at}
          isPending={prepare.isPending}
          onRetry={() => prepare.mutate(unanswered.request)}
          onDiscard={prepare.discard}
        />
      )}
      <p className="text-sm text-quiet">
        The service prepares the transaction and you sign it, or you pay by other means and enter
        the transaction id below.
      </p>
      <div>
        <Button
          isPending={prepare.isPending}
          disabled={unanswered !== undefined}
          icon={<Send aria-hidden className="size-4" />}
          onClick={() => prepare.mutate({ workIds: [id] })}
        >
          Prepare payout
        </Button>
      </div>
    </div>
  );
}
