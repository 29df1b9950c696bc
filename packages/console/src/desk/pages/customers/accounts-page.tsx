import type { Account } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { Badge } from "#ui/badge.tsx";
import { SelectField } from "#ui/field.tsx";
import { Users } from "#ui/icons.ts";
import { Money } from "#ui/money.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import type { Column } from "#ui/table.tsx";
import { Time } from "#ui/time.tsx";
import { reads } from "#desk/data/reads.ts";
import { optional, useFilters } from "#ui/filters.ts";
import { AccountLink, ShortId } from "#desk/shared/links.tsx";
import { PagedTable } from "#ui/paged-table.tsx";
import { SearchForm } from "#ui/search-form.tsx";

export function AccountsPage() {
  const filters = useFilters();
  const query = filters.get("query");
  const accounts = useQuery(
    reads.accounts({
      query: optional(query),
      closed: filters.get("closed") === "true" ? "true" : undefined,
      after: optional(filters.get("after")),
    }),
  );
  return (
    <Page title="Accounts">
      <Panel isFlush>
        <div className="grid gap-4 px-5 py-4 sm:grid-cols-[minmax(0,42rem)_12rem] sm:px-6">
          <SearchForm
            label="Search accounts"
            hint="Part of a username, any id, an IP or deposit address, or a transaction"
            text={query}
            onSearch={(text) => filters.set({ query: text })}
          />
          <SelectField
            name="closed"
            label="State"
            value={filters.get("closed")}
            onChange={(closed) => filters.set({ closed })}
            options={[
              { value: "", label: "All accounts" },
              { value: "true", label: "Closed" },
            ]}
          />
        </div>
        <Loaded query={accounts}>
          {({ accounts: list }) => (
            <PagedTable
              label="Accounts"
              columns={columns}
              rows={list}
              empty={
                <EmptyState icon={<Users className="size-6" />} title="No accounts found">
                  {query === "" ? "No customer has registered yet." : "Try a shorter search term."}
                </EmptyState>
              }
            />
          )}
        </Loaded>
      </Panel>
    </Page>
  );
}

const columns: readonly Column<Account>[] = [
  {
    title: "Account",
    isHeading: true,
    cell: ({ id, username, frozen, closedAt }) => (
      <span className="flex flex-wrap items-center gap-2">
        <AccountLink id={id} username={username} />
        {closedAt !== null && <Badge>Closed</Badge>}
        {frozen && <Badge tone="bad">Frozen</Badge>}
      </span>
    ),
  },
  { title: "Id", place: "detail", cell: ({ id }) => <ShortId id={id} /> },
  { title: "Registered", place: "detail", cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: "Held",
    isNumber: true,
    place: "labelled",
    cell: ({ heldUsd }) => <Money usd={heldUsd} />,
  },
  {
    title: "Balance",
    isNumber: true,
    place: "corner",
    cell: ({ balanceUsd }) => <Money usd={balanceUsd} />,
  },
];
