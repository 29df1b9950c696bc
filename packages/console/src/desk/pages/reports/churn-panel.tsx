import type { MonthOfServers, ReadChurnAnswer } from "@ironlease/client/operator";
import type { UseQueryResult } from "@tanstack/react-query";
import { Panel } from "#ui/panel.tsx";
import { Loaded } from "#ui/states.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { CsvButton } from "./csv-button.tsx";
import { monthText } from "./months.ts";
import { churnMonths } from "./churn-months.ts";
import { churnText } from "./churn-text.ts";

export function ChurnPanel({ query }: { readonly query: UseQueryResult<ReadChurnAnswer> }) {
  return (
    <Panel
      isFlush
      title="Churn"
      description="Servers that ended, in percent of those delivered when the month began."
      actions={
        <CsvButton
          name="churn"
          header={["month", "at_start", "delivered", "ended", "churn_percent"]}
          rows={(query.data?.months ?? []).map((row) => [
            ...[row.month, row.atStart, row.delivered, row.ended, row.churnPercent ?? ""],
          ])}
        />
      }
    >
      <Loaded query={query}>
        {({ months }) => (
          <Table
            label="Churn by month"
            isDense
            columns={columns}
            rows={churnMonths(months)}
            keyOf={({ month }) => month}
          />
        )}
      </Loaded>
    </Panel>
  );
}

const columns: readonly Column<MonthOfServers>[] = [
  { title: "Month", isHeading: true, cell: ({ month }) => monthText(month) },
  { title: "At start", isNumber: true, place: "labelled", cell: ({ atStart }) => atStart },
  { title: "Delivered", isNumber: true, place: "labelled", cell: ({ delivered }) => delivered },
  { title: "Ended", isNumber: true, place: "labelled", cell: ({ ended }) => ended },
  {
    title: "Churn",
    isNumber: true,
    place: "corner",
    cell: ({ churnPercent }) => churnText(churnPercent),
  },
];
