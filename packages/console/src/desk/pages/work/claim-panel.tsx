import type { WorkItem } from "@ironlease/client/operator";
import { useState } from "react";
import { Button } from "#ui/button.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Notice } from "#ui/notice.tsx";
import { Panel } from "#ui/panel.tsx";
import { sentenceCase } from "#ui/sentence-case.ts";
import { Time } from "#ui/time.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#desk/data/client.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { isCounted } from "./approvals.tsx";
import { CompleteForm } from "./complete-form.tsx";
import { FailDialog } from "./fail-dialog.tsx";
import { quoteOf, textOf } from "#desk/shared/work-detail.ts";
import { kinds } from "#desk/shared/work-kinds.tsx";
import { LeaseClock } from "./lease-clock.tsx";
import { PayoutOffer } from "./payout-offer.tsx";
import { QuoteForm } from "./quote-form.tsx";
import { NextItem } from "./next-item.tsx";
import { useWorkStep } from "./use-work-step.ts";

/** What the operator can do with an item: claim it, work on it, or see how it ended. */
export function ClaimPanel({ item }: { readonly item: WorkItem }) {
  const { username, role, canWork, requiredRoleForWork } = usePermissions();
  const claim = useWorkStep(client.claimWork);
  if (item.state === "DONE" || item.state === "FAILED") return <Ended item={item} />;
  if (!canWork(item.kind)) {
    return (
      <Panel title="Your role does not allow this">
        <p className="text-sm text-quiet">
          This needs the role {requiredRoleForWork(item.kind)}. Yours is {role}.
        </p>
      </Panel>
    );
  }
  if (item.state === "CLAIMED" && item.claimedBy === username) {
    return <ClaimedByMe item={item} own={approvalOf(item, username)} />;
  }
  return (
    <Panel title={freeTitle(item)}>
      <div className="flex flex-col gap-4">
        {claim.error !== null && <ErrorNotice error={claim.error} />}
        {item.state === "CLAIMED" ? (
          <p className="flex flex-wrap items-center gap-2 text-sm text-quiet">
            Available again in <LeaseClock item={item} isMine={false} />
          </p>
        ) : (
          <>
            <p className="text-sm text-quiet">
              {item.state === "WAITING"
                ? "The customer has a quote to accept. Claim this item to change the offer, or to decline the request."
                : "Claim this item before you start, so that no other operator works on it."}
            </p>
            <div>
              <Button
                variant="primary"
                isPending={claim.isPending}
                onClick={() => claim.mutate({ id: item.id })}
              >
                Claim
              </Button>
            </div>
          </>
        )}
      </div>
    </Panel>
  );
}

function freeTitle({ state, claimedBy }: WorkItem): string {
  if (state === "WAITING") return "Waiting for customer";
  return state === "CLAIMED" ? `Claimed by ${claimedBy ?? "another operator"}` : "Open";
}

type Approval = WorkItem["approvals"][number];

function approvalOf({ approvals }: WorkItem, username: string | undefined): Approval | undefined {
  return approvals.filter(isCounted).find(({ operator }) => operator === username);
}

function ClaimedByMe({
  item,
  own,
}: {
  readonly item: WorkItem;
  readonly own: Approval | undefined;
}) {
  const [isFailing, setIsFailing] = useState(false);
  const renew = useWorkStep(client.claimWork);
  const release = useWorkStep(client.releaseWork);
  return (
    <Panel
      title="Claimed by you"
      actions={
        <>
          <LeaseClock item={item} isMine />
          <Button
            size="small"
            isPending={renew.isPending}
            onClick={() =>
              renew.mutate({ id: item.id }, { onSuccess: () => toast("Claim renewed") })
            }
          >
            Renew
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {renew.error !== null && <ErrorNotice error={renew.error} />}
        {release.error !== null && <ErrorNotice error={release.error} />}
        {own !== undefined && (
          <Notice tone="info" title="You already approved this">
            <p>
              Another operator must complete it. Release it, or reject it.
              {own.transactionId !== undefined &&
                " If you entered the wrong transaction, correct it here."}
            </p>
          </Notice>
        )}
        {item.kind === "WITHDRAWAL" && <PayoutOffer item={item} />}
        {canOffer(item) && (
          <div className={canComplete(item, own) ? "border-b border-line pb-5" : undefined}>
            <QuoteForm item={item} />
          </div>
        )}
        {canComplete(item, own) && <CompleteForm item={item} takesFocus={!canOffer(item)} />}
        <div className="flex flex-wrap gap-2 border-t border-line pt-5">
          {item.payoutId === undefined && (
            <Button size="small" onClick={() => setIsFailing(true)}>
              {kinds[item.kind].fail}…
            </Button>
          )}
          <Button
            size="small"
            variant="quiet"
            isPending={release.isPending}
            onClick={() =>
              release.mutate({ id: item.id }, { onSuccess: () => toast("Claim released") })
            }
          >
            Release
          </Button>
        </div>
      </div>
      {isFailing && <FailDialog item={item} onClose={() => setIsFailing(false)} />}
    </Panel>
  );
}

/** An accepted quote is fixed. */
function canOffer({ detail }: WorkItem): boolean {
  const isAdvanced = textOf(detail, "mode") === "ADVANCED";
  return isAdvanced && quoteOf({ detail })?.acceptedAt === undefined;
}

/** Not while a payout pays it, the customer has a quote to accept, or another operator must approve it. */
function canComplete(item: WorkItem, own: Approval | undefined): boolean {
  if (item.payoutId !== undefined || item.waitingSince !== undefined) return false;
  return own === undefined || own.transactionId !== undefined;
}

function Ended({ item }: { readonly item: WorkItem }) {
  const { state, claimedBy, endedAt, outcome, note } = item;
  return (
    <Panel title={state === "DONE" ? "Done" : "Failed"}>
      <div className="flex flex-col gap-4 text-sm">
        <p role="status">
          {sentenceCase(outcome ?? state)}
          {claimedBy !== null && ` by ${claimedBy}`}
          {endedAt !== null && (
            <>
              , <Time at={endedAt} />
            </>
          )}
        </p>
        {note !== null && <p className="whitespace-pre-wrap text-quiet">{note}</p>}
        <NextItem />
      </div>
    </Panel>
  );
}
