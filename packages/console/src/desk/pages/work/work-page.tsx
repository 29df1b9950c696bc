import type { WorkItem } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { LinkButton } from "#ui/button.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { Loaded } from "#ui/states.tsx";
import { deskRoutes, urlOf } from "#app/urls.ts";
import { reads } from "#desk/data/reads.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { Age } from "#desk/shared/age.tsx";
import { Approvals } from "./approvals.tsx";
import { ChecklistPanel } from "./checklist-panel.tsx";
import { DeliveryPanel } from "./delivery-panel.tsx";
import { RequestDetails } from "./request-details.tsx";
import { RunsPanel } from "./runs-panel.tsx";
import { AssignPanel } from "./assign-panel.tsx";
import { DueBadge } from "./due-badge.tsx";
import { ReviewPanel } from "./review-panel.tsx";
import { ClaimPanel } from "./claim-panel.tsx";
import { kinds, WorkStateBadge } from "#desk/shared/work-kinds.tsx";
import { Missing } from "#desk/shared/missing.tsx";

export function WorkPage() {
  const { id = "" }: { id?: string } = useParams({ strict: false });
  const item = useQuery(reads.workItem(id));
  const { data } = item;
  return (
    <Page
      title={data === undefined ? "Work" : kinds[data.kind].name}
      windowTitle={data === undefined ? "Work" : `${kinds[data.kind].name}, ${data.username}`}
      crumbs={[{ to: deskRoutes.work, label: "Queue" }]}
      lead={data !== undefined && <Lead item={data} />}
      actions={
        <>
          {data?.serverId !== undefined && (
            <>
              <LinkButton to={urlOf(deskRoutes.server, { id: data.serverId })}>Server</LinkButton>
              <LinkButton to={deskRoutes.messages} search={{ server: data.serverId }}>
                Messages
              </LinkButton>
            </>
          )}
          {data !== undefined && (
            <LinkButton to={deskRoutes.newMessage} search={{ workId: id }}>
              Write to customer
            </LinkButton>
          )}
        </>
      }
    >
      {/* Remount per item, so that text typed for one is never sent with another. */}
      <Loaded key={id} query={item} missing={<Missing what="Work item" />}>
        {(found) => (
          <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
            <div className="flex min-w-0 flex-col gap-5">
              <Panel title="Request">
                <RequestDetails item={found} />
              </Panel>
              {found.review !== undefined && <ReviewPanel item={found} review={found.review} />}
              {found.delivery !== undefined && (
                <DeliveryPanel delivery={found.delivery} hasEnded={found.endedAt !== null} />
              )}
              {(found.kind === "SERVER_ACTION" || found.kind === "RECLAIM") && (
                <RunsPanel item={found} />
              )}
              <ChecklistPanel item={found} />
              {found.kind === "WITHDRAWAL" && <ApprovalsPanel item={found} />}
            </div>
            <div className="flex min-w-0 flex-col gap-5">
              <ClaimPanel item={found} />
              <AssignPanel item={found} />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function Lead({ item }: { readonly item: WorkItem }) {
  return (
    <span className="flex flex-wrap items-center gap-3 text-sm">
      <WorkStateBadge state={item.state} />
      <span>
        <Age since={item.createdAt} /> old
      </span>
      <DueBadge item={item} />
      {item.waitingSince !== undefined && (
        <span>
          quoted <Age since={item.waitingSince} /> ago
        </span>
      )}
    </span>
  );
}

function ApprovalsPanel({ item }: { readonly item: WorkItem }) {
  const { username } = usePermissions();
  return (
    <Panel title="Approvals">
      <Approvals item={item} username={username} />
    </Panel>
  );
}
