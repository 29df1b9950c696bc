import type { ReadRevenueAnswer } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Money } from "#ui/money.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { ChartColumn } from "#ui/icons.ts";
import { Table, type Column } from "#ui/table.tsx";
import { reportReads } from "#desk/data/report-reads.ts";
import { DayChart } from "#desk/shared/day-chart.tsx";
import { CsvButton } from "./csv-button.tsx";
import { MonthField } from "./month-field.tsx";
import { monthText } from "./months.ts";

/** Revenue of one month by day, and by configuration and region. */
export function RevenuePanel({ thisMonth }: { readonly thisMonth: string }) {
  const [month, setMonth] = useState(thisMonth);
  const revenue = useQuery(reportReads.revenue(month));
  return (
    <section aria-label="Revenue" className="flex flex-col gap-5">
      <MonthField value={month} onChange={setMonth} />
      <Loaded query={revenue}>{(data) => <Figures revenue={data} />}</Loaded>
    </section>
  );
}

function Figures({ revenue: { month, days, offers } }: { readonly revenue: ReadRevenueAnswer }) {
  return (
    <div className="grid items-start gap-5 2xl:grid-cols-2">
      <DayChart
        title={`Revenue in ${monthText(month)}`}
        description="Charges minus refunds, per day (UTC)"
        days={days.map(({ day }) => day)}
        actions={
          <CsvButton
            name={`revenue-by-day-${month}`}
            header={["day", "charged_usd", "refunded_usd", "revenue_usd"]}
            rows={days.map((row) => [row.day, row.chargedUsd, row.refundedUsd, row.revenueUsd])}
          />
        }
        series={[
          {
            name: "Revenue",
            colour: "--color-data",
            keyClass: "bg-data",
            usd: days.map(({ revenueUsd }) => revenueUsd),
          },
        ]}
      />
      <Panel
        isFlush
        title="By configuration and region"
        description={`Charges minus refunds in ${monthText(month)}`}
        actions={
          <CsvButton
            name={`revenue-by-offer-${month}`}
            header={["configuration", "region", "charged_usd", "refunded_usd", "revenue_usd"]}
            rows={offers.map((row) => [
              ...[row.configId, row.regionId],
              ...[row.chargedUsd, row.refundedUsd, row.revenueUsd],
            ])}
          />
        }
      >
        {offers.length === 0 ? (
          <EmptyState icon={<ChartColumn className="size-6" />} title="No charges in this month">
            Orders and renewals appear here.
          </EmptyState>
        ) : (
          <Table
            label="Revenue by configuration and region"
            isDense
            columns={columns}
            rows={offers}
            keyOf={({ configId, regionId }) => `${configId} ${regionId}`}
          />
        )}
      </Panel>
    </div>
  );
}

const columns: readonly Column<ReadRevenueAnswer["offers"][number]>[] = [
  { title: "Configuration", isHeading: true, cell: ({ configId }) => configId },
  { title: "Region", place: "detail", cell: ({ regionId }) => regionId },
  {
    title: "Charged",
    isNumber: true,
    place: "labelled",
    cell: ({ chargedUsd }) => <Money usd={chargedUsd} />,
  },
  {
    title: "Refunded",
    isNumber: true,
    place: "labelled",
    cell: ({ refundedUsd }) => <Money usd={refundedUsd} />,
  },
  {
    title: "Revenue",
    isNumber: true,
    place: "corner",
    cell: ({ revenueUsd }) => <Money usd={revenueUsd} />,
  },
];
