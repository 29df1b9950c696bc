import type { WorkItem } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { LinkButton } from "#ui/button.tsx";
import { Inbox } from "#ui/icons.ts";
import { Money } from "#ui/money.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { deskRoutes, urlOf } from "#app/urls.ts";
import { reads } from "#desk/data/reads.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { useFilters } from "#ui/filters.ts";
import { AccountLink } from "#desk/shared/links.tsx";
import { Pager } from "#ui/pager.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { Age } from "#desk/shared/age.tsx";
import { ClaimButton } from "./claim-button.tsx";
import { summaryOf, withdrawalOf } from "#desk/shared/work-detail.ts";
import { kinds, WorkStateBadge } from "#desk/shared/work-kinds.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { BulkResults } from "./bulk-results.tsx";
import { DueBadge } from "./due-badge.tsx";
import { QueueFilters, requestOf } from "./queue-filters.tsx";
import { useBulk } from "./use-bulk.ts";
import { LeaseClock } from "./lease-clock.tsx";

export function QueuePage() {
  const filters = useFilters();
  const { username = "" } = usePermissions();
  const request = requestOf(filters, username);
  const work = useQuery(reads.work(request));
  const bulk = useBulk(work.data?.work ?? []);
  return (
    <Page
      title="Queue"
      lead="Oldest first. A claim lasts 30 minutes."
      actions={<LinkButton to={deskRoutes.checklists}>Checklists</LinkButton>}
    >
      <BulkResults bulk={bulk} />
      <Panel isFlush>
        <QueueFilters />
        <BulkBar bulk={bulk} />
        <Loaded query={work}>
          {({ work: items }) =>
            items.length === 0 ? (
              <EmptyState
                icon={<Inbox className="size-6" />}
                title={request.state === "OPEN" ? "No open work here" : "No matching items"}
              >
                {Object.keys(filters.search).length > 0 && (
                  <TextLink to={deskRoutes.work}>Clear filters</TextLink>
                )}
              </EmptyState>
            ) : (
              <>
                <Table
                  label="Work"
                  isDense
                  columns={columnsFor(username, bulk)}
                  rows={items}
                  keyOf={({ id }) => id}
                />
                <Pager rows={items} />
              </>
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}

function columnsFor(
  username: string,
  { chosen, choose, canChoose }: ReturnType<typeof useBulk>,
): readonly Column<WorkItem>[] {
  return [
    {
      title: "Select",
      isTitleHidden: true,
      place: "select",
      cell: (item) => (
        <input
          type="checkbox"
          aria-label={`Select ${kinds[item.kind].name}, ${summaryOf(item)}`}
          className="block size-4.5 accent-chosen"
          disabled={!canChoose(item)}
          checked={chosen.has(item.id)}
          onChange={(event) => choose([item.id], event.target.checked)}
        />
      ),
    },
    {
      title: "Work",
      isHeading: true,
      cell: ({ id, kind }) => (
        <TextLink to={urlOf(deskRoutes.workItem, { id })} className="whitespace-nowrap">
          {kinds[kind].name}
        </TextLink>
      ),
    },
    {
      title: "Details",
      isFreeText: true,
      place: "detail",
      cell: (item) => (
        <span>
          {item.kind === "WITHDRAWAL" && (
            <>
              <Money usd={withdrawalOf(item).usd} className="font-medium" />{" "}
            </>
          )}
          {summaryOf(item)}
          {item.assetTag !== undefined && (
            <code className="block font-mono text-xs text-quiet">{item.assetTag}</code>
          )}
        </span>
      ),
    },
    {
      title: "Customer",
      place: "detail",
      cell: ({ accountId, username: name }) => <AccountLink id={accountId} username={name} />,
    },
    {
      title: "Assigned to",
      place: "detail",
      cell: ({ assignedTo }) =>
        assignedTo !== null && (
          <>
            <span className="hidden card:inline">Assigned to </span>
            {assignedTo}
          </>
        ),
    },
    {
      title: "Waiting",
      place: "detail",
      cell: (item) => (
        <span className="flex items-center gap-x-2 whitespace-nowrap">
          <Age since={item.waitingSince ?? item.createdAt} />
          <DueBadge item={item} />
        </span>
      ),
    },
    {
      title: "State",
      place: "corner",
      cell: (item) => (
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <WorkStateBadge state={item.state} />
          {item.claimedBy !== null && <span className="text-quiet">{item.claimedBy}</span>}
          <LeaseClock item={item} isMine={item.claimedBy === username} />
        </span>
      ),
    },
    {
      title: "Actions",
      isTitleHidden: true,
      isNumber: true,
      place: "end",
      cell: (item) => <ClaimButton item={item} />,
    },
  ];
}
