import { useQuery } from "@tanstack/react-query";
import { FilterChips } from "#ui/filter-chips.tsx";
import { Coins } from "#ui/icons.ts";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { reads } from "#desk/data/reads.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { customerDepositColumns } from "#desk/shared/deposit-columns.tsx";
import { optional, oneOf, useFilters } from "#ui/filters.ts";
import { PagedTable } from "#ui/paged-table.tsx";
import { SearchForm } from "#ui/search-form.tsx";
import { SimulatePaymentPanel } from "./simulate-payment-panel.tsx";

const states = ["CONFIRMING", "CREDITED"] as const;

export function DepositsPage() {
  const filters = useFilters();
  const { can } = usePermissions();
  const deposits = useQuery(
    reads.deposits({
      state: oneOf(states, filters.get("state")),
      query: optional(filters.get("query")),
      after: optional(filters.get("after")),
    }),
  );
  // A real deposit means that the provider is not simulated.
  const isReal = deposits.data?.deposits.some(({ mode }) => mode !== "SIMULATED") === true;
  return (
    <Page title="Deposits" lead="Deposits of all accounts, newest first">
      {can("simulatePayment") && !isReal && <SimulatePaymentPanel />}
      <Panel isFlush>
        <div className="flex max-w-xl flex-col gap-4 px-5 py-4 sm:px-6">
          <SearchForm
            label="Search"
            hint="An address, a transaction or an account id"
            text={filters.get("query")}
            onSearch={(query) => filters.set({ query })}
          />
          <FilterChips
            name="state"
            label="State"
            choices={[
              { value: "", label: "All" },
              { value: "CONFIRMING", label: "Confirming" },
              { value: "CREDITED", label: "Credited" },
            ]}
          />
        </div>
        <Loaded query={deposits}>
          {({ deposits: list }) => (
            <PagedTable
              label="Deposits"
              columns={customerDepositColumns}
              rows={list}
              empty={<EmptyState icon={<Coins className="size-6" />} title="No deposits found" />}
            />
          )}
        </Loaded>
      </Panel>
    </Page>
  );
}
