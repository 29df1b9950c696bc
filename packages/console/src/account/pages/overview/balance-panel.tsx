import type { ReadAccountSummaryAnswer } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useMemo } from "react";
import { lazyPart } from "#app/lazy-part.tsx";
import { FilterChips } from "#ui/filter-chips.tsx";
import { useFilters } from "#ui/filters.ts";
import { moneyText, wholeMoneyText } from "#ui/money-text.ts";
import { Panel } from "#ui/panel.tsx";
import { Loaded, Skeleton } from "#ui/states.tsx";
import { reads } from "#account/data/reads.ts";
import { balanceSeries, pointText, seriesText, type Range } from "./balance-series.ts";

const BalanceChart = lazyPart(async () => (await import("#ui/balance-chart.tsx")).BalanceChart);

/** The balance of the last days and, after the renewals to come, of as many days ahead. */
export function BalancePanel() {
  const summary = useQuery(reads.accountSummary);
  const range = useFilters().get("days") === "90" ? 90 : 30;
  return (
    <Panel
      title="Balance"
      actions={
        <FilterChips
          label="Days before and after today"
          name="days"
          choices={[
            { value: "", label: "30 days" },
            { value: "90", label: "90 days" },
          ]}
        />
      }
    >
      <Loaded query={summary} isPadded={false} loading={<Skeleton className="h-68 w-full" />}>
        {(data) => <Chart summary={data} range={range} />}
      </Loaded>
    </Panel>
  );
}

function Chart({
  summary,
  range,
}: {
  readonly summary: ReadAccountSummaryAnswer;
  readonly range: Range;
}) {
  const points = useMemo(() => balanceSeries(summary, range), [summary, range]);
  return (
    <Suspense fallback={<Skeleton className="h-68 w-full" />}>
      <BalanceChart
        key={range}
        label={seriesText(points, moneyText)}
        points={points}
        textOf={(index) => {
          const point = points[index];
          return point === undefined ? "" : pointText(point, moneyText);
        }}
        yText={wholeMoneyText}
      />
    </Suspense>
  );
}
