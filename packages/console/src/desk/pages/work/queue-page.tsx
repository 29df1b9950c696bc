import type { WorkItem } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { LinkButton } from "#ui/button.tsx";
import { SelectField } from "#ui/field.tsx";
import { Inbox } from "#ui/icons.ts";
import { Money } from "#ui/money.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import type { Column } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { deskRoutes, urlOf } from "#app/urls.ts";
import { reads } from "#desk/data/reads.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { optional, oneOf, useFilters } from "#ui/filters.ts";
import { AccountLink } from "#desk/shared/links.tsx";
import { PagedTable } from "#ui/paged-table.tsx";
import { Age } from "#desk/shared/age.tsx";
import { ClaimButton } from "./claim-button.tsx";
import { summaryOf, withdrawalOf } from "#desk/shared/work-detail.ts";
import {
  kindOrder,
  kinds,
  stateOrder,
  stateWord,
  WorkStateBadge,
} from "#desk/shared/work-kinds.tsx";
import { LeaseClock } from "./lease-clock.tsx";

const allStates = "ALL";

export function QueuePage() {
  const filters = useFilters();
  const { username } = usePermissions();
  const shown = filters.get("state") === "" ? "OPEN" : filters.get("state");
  const work = useQuery(
    reads.work({
      kind: oneOf(kindOrder, filters.get("kind")),
      state: oneOf(stateOrder, shown),
      after: optional(filters.get("after")),
    }),
  );
  return (
    <Page
      title="Queue"
      lead="Oldest first. A claim lasts 30 minutes."
      actions={<LinkButton to={deskRoutes.checklists}>Checklists</LinkButton>}
    >
      <Panel isFlush>
        <div className="grid gap-4 p-4 sm:max-w-xl sm:grid-cols-2 sm:px-6">
          <SelectField
            name="kind"
            label="Kind"
            value={filters.get("kind")}
            onChange={(kind) => filters.set({ kind })}
            options={[
              { value: "", label: "All kinds" },
              ...kindOrder.map((value) => ({ value, label: kinds[value].name })),
            ]}
          />
          <SelectField
            name="state"
            label="State"
            value={shown}
            onChange={(state) => filters.set({ state })}
            options={[
              ...stateOrder.map((value) => ({ value: value as string, label: stateWord(value) })),
              { value: allStates, label: "All states" },
            ]}
          />
        </div>
        <Loaded query={work}>
          {({ work: items }) => (
            <PagedTable
              label="Work"
              columns={columnsFor(username)}
              rows={items}
              empty={
                <EmptyState
                  icon={<Inbox className="size-6" />}
                  title={shown === "OPEN" ? "The queue is empty" : "No matching items"}
                />
              }
            />
          )}
        </Loaded>
      </Panel>
    </Page>
  );
}

function columnsFor(username: string | undefined): readonly Column<WorkItem>[] {
  return [
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
      cell: (item) => (
        <span className="break-all">
          {item.kind === "WITHDRAWAL" && (
            <>
              <Money usd={withdrawalOf(item).usd} className="font-medium" />{" "}
            </>
          )}
          {summaryOf(item)}
        </span>
      ),
    },
    {
      title: "Machine",
      cell: ({ assetTag }) => (
        <code className="font-mono text-xs wrap-anywhere">{assetTag ?? "–"}</code>
      ),
    },
    {
      title: "Customer",
      cell: ({ accountId, username: name }) => <AccountLink id={accountId} username={name} />,
    },
    {
      title: "Waiting",
      cell: ({ createdAt, waitingSince }) => <Age since={waitingSince ?? createdAt} />,
    },
    {
      title: "State",
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
      cell: (item) => <ClaimButton item={item} />,
    },
  ];
}
