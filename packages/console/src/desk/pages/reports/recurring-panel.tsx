import type { ReadRecurringAnswer } from "@ironlease/client/operator";
import type { UseQueryResult } from "@tanstack/react-query";
import { Money } from "#ui/money.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { CsvButton } from "./csv-button.tsx";

export function RecurringPanel({ query }: { readonly query: UseQueryResult<ReadRecurringAnswer> }) {
  return (
    <Panel
      isFlush
      title="Monthly recurring revenue"
      description="Prices of all delivered servers with DDoS protection. Weekly prices count 30/7 times."
      actions={
        <CsvButton
          name="recurring-revenue"
          header={["configuration", "region", "servers", "monthly_usd"]}
          rows={(query.data?.offers ?? []).map((row) => [
            ...[row.configId, row.regionId, row.servers, row.monthlyUsd],
          ])}
        />
      }
    >
      <Loaded query={query}>
        {({ offers }) =>
          offers.length === 0 ? (
            <EmptyState title="No delivered servers" />
          ) : (
            <Table
              label="Monthly recurring revenue"
              isDense
              columns={columns}
              rows={offers}
              keyOf={({ configId, regionId }) => `${configId} ${regionId}`}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}

const columns: readonly Column<ReadRecurringAnswer["offers"][number]>[] = [
  { title: "Configuration", isHeading: true, cell: ({ configId }) => configId },
  { title: "Region", place: "detail", cell: ({ regionId }) => regionId },
  { title: "Servers", isNumber: true, place: "labelled", cell: ({ servers }) => servers },
  {
    title: "Per month",
    isNumber: true,
    place: "corner",
    cell: ({ monthlyUsd }) => <Money usd={monthlyUsd} />,
  },
];
