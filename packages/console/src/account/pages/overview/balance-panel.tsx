import type { ReadLedgerAnswer } from "@ironlease/client";
import type { UseQueryResult } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { moneyText, wholeMoneyText } from "#ui/money-text.ts";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded, Skeleton } from "#ui/states.tsx";
import { useNow } from "#ui/time.tsx";
import { balanceSeries, seriesText } from "./balance-series.ts";

const StepChart = lazy(async () => ({
  default: (await import("#ui/step-chart.tsx")).StepChart,
}));

export function BalancePanel({ ledger }: { readonly ledger: UseQueryResult<ReadLedgerAnswer> }) {
  return (
    <Panel title="Balance over time">
      <Loaded query={ledger} isPadded={false} loading={<Skeleton className="h-60 w-full" />}>
        {({ entries }) =>
          entries.length === 0 ? (
            <EmptyState title="No balance history yet" />
          ) : (
            <BalanceChart entries={entries} />
          )
        }
      </Loaded>
    </Panel>
  );
}

function BalanceChart({ entries }: { readonly entries: ReadLedgerAnswer["entries"] }) {
  const series = balanceSeries(entries, useNow(300_000));
  return (
    <Suspense fallback={<Skeleton className="h-60 w-full" />}>
      <StepChart
        label={seriesText(series, moneyText)}
        xs={series.seconds}
        ys={series.usd}
        yText={wholeMoneyText}
      />
    </Suspense>
  );
}
