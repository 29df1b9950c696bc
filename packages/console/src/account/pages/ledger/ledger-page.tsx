import { useQuery } from "@tanstack/react-query";
import { LinkButton } from "#ui/button.tsx";
import { Wallet } from "#ui/icons.ts";
import { CursorPager } from "#ui/pager.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { accountRoutes } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";
import { BillingFrame } from "#account/shared/billing-frame.tsx";
import { LedgerTable } from "#account/shared/ledger-table.tsx";
import type { Period } from "#account/shared/period.ts";
import { ExportButtons } from "./export-buttons.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { useLedgerFilter, type LedgerFilter } from "./use-ledger-filter.ts";

const pageLength = 50;

export function LedgerPage() {
  const filter = useLedgerFilter();
  const { period } = filter;
  return (
    <BillingFrame
      title="Billing"
      lead={
        <>
          Every change to your balance, with a receipt. For a signed record, download a{" "}
          <TextLink to={accountRoutes.statements}>statement</TextLink>.
        </>
      }
    >
      <Panel isFlush className="overflow-visible">
        <div className="flex flex-wrap items-end justify-between gap-4 p-5 sm:p-6">
          <FilterBar filter={filter} />
          <ExportButtons filter={filter} />
        </div>
        {period === undefined ? (
          <EmptyState title="Choose the first and the last day" />
        ) : (
          <Entries filter={filter} period={period} />
        )}
      </Panel>
    </BillingFrame>
  );
}

function Entries({
  filter: { choice, type, after },
  period,
}: {
  readonly filter: LedgerFilter;
  readonly period: Period;
}) {
  const page = useQuery(
    reads.ledgerEntries({
      ...period,
      ...(type !== undefined && { type }),
      ...(after !== undefined && { after }),
      limit: pageLength,
    }),
  );
  return (
    <Loaded query={page}>
      {({ entries }) =>
        entries.length === 0 ? (
          <Empty isFiltered={choice !== "all" || type !== undefined || after !== undefined} />
        ) : (
          <div className={page.isPlaceholderData ? "opacity-60" : undefined}>
            <LedgerTable entries={entries} isSticky />
            <CursorPager next={entries.length < pageLength ? undefined : entries.at(-1)?.id} />
          </div>
        )
      }
    </Loaded>
  );
}

function Empty({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState
        title="No entries match"
        action={<LinkButton to={accountRoutes.billing}>Show all entries</LinkButton>}
      />
    );
  }
  return (
    <EmptyState
      icon={<Wallet className="size-6" />}
      title="No ledger entries yet"
      action={<LinkButton to={accountRoutes.deposit}>Deposit</LinkButton>}
    >
      Deposits, orders and renewals appear here.
    </EmptyState>
  );
}
