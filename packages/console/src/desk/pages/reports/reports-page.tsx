import { useQuery } from "@tanstack/react-query";
import { Money } from "#ui/money.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { Stat, Stats } from "#ui/stat.tsx";
import { useNow } from "#ui/time.tsx";
import { reportReads } from "#desk/data/report-reads.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { BalancesPanel } from "./balances-panel.tsx";
import { ChurnPanel } from "./churn-panel.tsx";
import { churnText } from "./churn-text.ts";
import { LedgerPanel } from "./ledger-panel.tsx";
import { monthsUntil } from "./months.ts";
import { RecurringPanel } from "./recurring-panel.tsx";
import { RevenuePanel } from "./revenue-panel.tsx";

/** Money and servers over time, for finance. Months and days are in UTC. */
export function ReportsPage() {
  const { role, can } = usePermissions();
  if (role !== undefined && !can("readRevenue")) {
    return (
      <Page title="Reports">
        <Panel title="Only finance and admins see reports">
          <p className="text-sm text-quiet">Ask an admin to change your role.</p>
        </Panel>
      </Page>
    );
  }
  return role === undefined ? <Page title="Reports">{null}</Page> : <Reports />;
}

function Reports() {
  const [thisMonth = ""] = monthsUntil(new Date(useNow(60_000)), 1);
  const revenue = useQuery(reportReads.revenue(thisMonth));
  const recurring = useQuery(reportReads.recurring);
  const churn = useQuery(reportReads.churn);
  const balances = useQuery(reportReads.balanceAges);
  return (
    <Page title="Reports" lead="Months and days are in UTC.">
      <Stats>
        <Stat
          name="Monthly recurring revenue"
          query={recurring}
          note={({ servers }) => `${servers} delivered servers`}
        >
          {({ monthlyUsd }) => <Money usd={monthlyUsd} />}
        </Stat>
        <Stat name="Revenue this month" query={revenue} note={() => "Charges minus refunds"}>
          {({ revenueUsd }) => <Money usd={revenueUsd} />}
        </Stat>
        <Stat
          name="Churn this month"
          query={churn}
          note={({ months }) => `${months.at(-1)?.ended ?? 0} servers ended`}
        >
          {({ months }) => churnText(months.at(-1)?.churnPercent ?? null)}
        </Stat>
      </Stats>
      <RevenuePanel thisMonth={thisMonth} />
      <div className="grid items-start gap-5 2xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-5">
          <RecurringPanel query={recurring} />
          <BalancesPanel query={balances} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <ChurnPanel query={churn} />
          <LedgerPanel thisMonth={thisMonth} />
        </div>
      </div>
    </Page>
  );
}
