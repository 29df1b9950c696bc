import { amountText } from "#ui/coin-text.ts";
import type { PayoutSummary } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { LinkButton } from "#ui/button.tsx";
import { Send } from "#ui/icons.ts";
import { Money } from "#ui/money.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import type { Column } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { deskRoutes, urlOf } from "#app/urls.ts";
import { reads } from "#desk/data/reads.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { optional, useFilters } from "#ui/filters.ts";
import { PagedTable } from "#ui/paged-table.tsx";
import { PayoutStateBadge } from "./payout-state.tsx";
import { PreparePanel } from "./prepare-panel.tsx";

/** Transactions that pay withdrawals: prepared here, signed elsewhere, sent here. */
export function PayoutsPage() {
  const filters = useFilters();
  const { can } = usePermissions();
  const payouts = useQuery(reads.payouts({ after: optional(filters.get("after")) }));
  return (
    <Page
      title="Payouts"
      lead="The service prepares transactions and sends them. You sign them elsewhere: it holds no key that can spend."
    >
      {can("preparePayout") && <PreparePanel />}
      <Panel title="All payouts" isFlush>
        <Loaded query={payouts}>
          {({ payouts: rows }) => (
            <PagedTable
              label="Payouts"
              columns={columns}
              rows={rows}
              empty={
                <EmptyState
                  icon={<Send className="size-6" />}
                  title="No payouts yet"
                  action={<LinkButton to={deskRoutes.withdrawals}>View withdrawals</LinkButton>}
                >
                  Claim a withdrawal of a connected chain to prepare one.
                </EmptyState>
              }
            />
          )}
        </Loaded>
      </Panel>
    </Page>
  );
}

const columns: readonly Column<PayoutSummary>[] = [
  {
    title: "Amount",
    isHeading: true,
    cell: ({ id, amount, asset }) => (
      <TextLink to={urlOf(deskRoutes.payout, { id })}>
        {amountText(amount)} {asset}
      </TextLink>
    ),
  },
  { title: "USD", isNumber: true, place: "detail", cell: ({ usd }) => <Money usd={usd} /> },
  {
    title: "Withdrawals",
    isNumber: true,
    place: "labelled",
    cell: ({ withdrawals }) => withdrawals.length,
  },
  { title: "Prepared by", place: "labelled", cell: ({ preparedBy }) => preparedBy },
  { title: "Prepared", place: "labelled", cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: "State",
    place: "corner",
    cell: ({ state, confirmations, confirmationsRequired }) => (
      <span className="flex flex-wrap items-center gap-2 card:max-w-32 card:justify-end">
        <PayoutStateBadge state={state} />
        {state === "BROADCAST" && (
          <span className="text-xs text-quiet">
            {confirmations} of {confirmationsRequired} confirmations
          </span>
        )}
      </span>
    ),
  },
];
