import type { WorkItem } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { CopyIconButton } from "#ui/copy-button.tsx";
import { SelectField } from "#ui/field.tsx";
import { Banknote } from "#ui/icons.ts";
import { Money } from "#ui/money.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import type { Column } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { deskRoutes, urlOf } from "#app/urls.ts";
import { reads } from "#desk/data/reads.ts";
import { optional, oneOf, useFilters } from "#ui/filters.ts";
import { AccountLink } from "#desk/shared/links.tsx";
import { PagedTable } from "#ui/paged-table.tsx";
import { Age } from "#desk/shared/age.tsx";
import { isCounted } from "./approvals.tsx";
import { DueBadge } from "./due-badge.tsx";
import { ClaimButton } from "./claim-button.tsx";
import { withdrawalOf } from "#desk/shared/work-detail.ts";
import { stateOrder, stateWord, WorkStateBadge } from "#desk/shared/work-kinds.tsx";

const allStates = "ALL";
/** Only a DDoS quote waits for the customer. */
const states = stateOrder.filter((state) => state !== "WAITING");

/** The withdrawals in the queue, with amount, destination and approvals. */
export function WithdrawalsPage() {
  const filters = useFilters();
  const shown = filters.get("state") === "" ? "OPEN" : filters.get("state");
  const work = useQuery(
    reads.work({
      kind: "WITHDRAWAL",
      state: oneOf(states, shown),
      after: optional(filters.get("after")),
    }),
  );
  return (
    <Page
      title="Withdrawals"
      lead="Every withdrawal is reviewed. Large ones need approval by two operators."
    >
      <Panel isFlush>
        <div className="px-5 py-4 sm:max-w-xs sm:px-6">
          <SelectField
            name="state"
            label="State"
            value={shown}
            onChange={(state) => filters.set({ state })}
            options={[
              ...states.map((value) => ({ value: value as string, label: stateWord(value) })),
              { value: allStates, label: "All states" },
            ]}
          />
        </div>
        <Loaded query={work}>
          {({ work: items }) => (
            <PagedTable
              label="Withdrawals"
              columns={columns}
              rows={items}
              empty={
                <EmptyState icon={<Banknote className="size-6" />} title="No withdrawals found" />
              }
            />
          )}
        </Loaded>
      </Panel>
    </Page>
  );
}

const columns: readonly Column<WorkItem>[] = [
  {
    title: "Amount",
    isHeading: true,
    cell: (item) => (
      <TextLink to={urlOf(deskRoutes.workItem, { id: item.id })}>
        <Money usd={withdrawalOf(item).usd} />
      </TextLink>
    ),
  },
  {
    title: "To pay",
    place: "detail",
    cell: (item) => {
      const { asset, amount, rate } = withdrawalOf(item);
      return (
        <span className="flex flex-col whitespace-nowrap">
          {amount === undefined ? asset : `${amount} ${asset}`}
          {rate !== undefined && <span className="text-xs text-quiet">at ${rate}</span>}
        </span>
      );
    },
  },
  {
    title: "Destination",
    place: "detail",
    cell: (item) => (
      <span className="flex items-center gap-1">
        <code className="font-mono text-xs break-all">{withdrawalOf(item).destination}</code>
        <CopyIconButton
          text={withdrawalOf(item).destination}
          what={`destination of ${item.username}`}
        />
      </span>
    ),
  },
  {
    title: "Customer",
    place: "detail",
    cell: ({ accountId, username }) => <AccountLink id={accountId} username={username} />,
  },
  {
    title: "Waiting",
    place: "detail",
    cell: (item) => (
      <span className="flex flex-wrap items-center gap-x-2">
        <Age since={item.createdAt} />
        <DueBadge item={item} />
      </span>
    ),
  },
  { title: "Approvals", place: "labelled", cell: (item) => <ApprovalStatus item={item} /> },
  { title: "State", place: "corner", cell: ({ state }) => <WorkStateBadge state={state} /> },
  {
    title: "Actions",
    isTitleHidden: true,
    isNumber: true,
    place: "end",
    cell: (item) => <ClaimButton item={item} />,
  },
];

function ApprovalStatus({ item: { approvals, endedAt } }: { readonly item: WorkItem }) {
  const counted = approvals.filter(isCounted);
  if (counted.length === 0) return <span className="text-quiet">None</span>;
  const names = counted.map(({ operator }) => operator).join(", ");
  return (
    <span>
      {names}
      {endedAt === null && <span className="block text-xs text-quiet">One more needed</span>}
    </span>
  );
}
