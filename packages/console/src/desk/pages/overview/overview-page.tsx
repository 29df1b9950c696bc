import type { ReadOverviewAnswer } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { Money } from "#ui/money.tsx";
import { Page } from "#ui/page.tsx";
import { Stats, StatTile } from "#ui/stat.tsx";
import { Loaded } from "#ui/states.tsx";
import { Time } from "#ui/time.tsx";
import { reads } from "#desk/data/reads.ts";
import { MachineStateBadge, machineStateOf } from "#desk/shared/machine-state.tsx";
import { ServerStateBadge } from "#desk/shared/server-state.tsx";
import { CountsPanel } from "./counts-panel.tsx";
import { DayChart } from "#desk/shared/day-chart.tsx";
import { WorkPanel } from "./work-panel.tsx";

export function OverviewPage() {
  const overview = useQuery(reads.overview);
  return (
    <Page title="Dashboard">
      <Loaded query={overview}>{(data) => <Figures overview={data} />}</Loaded>
    </Page>
  );
}

function Figures({ overview }: { readonly overview: ReadOverviewAnswer }) {
  const { work, servers, machines, balancesUsd, heldUsd, fundsAt, reverseDns } = overview;
  const { revenueByDay, depositsByDay, payoutsByDay } = overview;
  const open = work.reduce((sum, one) => sum + one.open, 0);
  const claimed = work.reduce((sum, one) => sum + one.claimed, 0);
  const overdue = work.reduce((sum, one) => sum + one.overdue, 0);
  const usdOf = (days: ReadOverviewAnswer["revenueByDay"]) => days.map(({ usd }) => usd);
  return (
    <>
      <Stats>
        <StatTile name="Open work" note={`${claimed} claimed, ${overdue} overdue`}>
          {open}
        </StatTile>
        <StatTile name="Free machines" note="Without a customer">
          {machines.find(({ state }) => state === "FREE")?.count ?? 0}
        </StatTile>
        <StatTile
          name="Customer balances"
          note={
            <>
              Available to spend, <Time at={fundsAt} />
            </>
          }
        >
          <Money usd={balancesUsd} />
        </StatTile>
        <StatTile
          name="Held"
          note={
            <>
              Withdrawals under review, <Time at={fundsAt} />
            </>
          }
        >
          <Money usd={heldUsd} />
        </StatTile>
        {reverseDns !== null && (
          <StatTile name="Reverse DNS pending" note={`${reverseDns.failed} failed`}>
            {reverseDns.pending}
          </StatTile>
        )}
      </Stats>
      <div className="grid gap-5 md:grid-cols-2 xl:grid-cols-3">
        <div className="grid md:row-span-2 xl:row-span-1">
          <WorkPanel work={work} />
        </div>
        <CountsPanel
          title="Servers"
          counts={servers.map(({ state, count }) => ({
            key: state,
            label: <ServerStateBadge state={state} />,
            count,
          }))}
        />
        <CountsPanel
          title="Machines"
          counts={machines.map(({ state, count }) => ({
            key: state,
            label: <MachineStateBadge state={machineStateOf(state)} />,
            count,
          }))}
        />
      </div>
      <div className="grid items-start gap-5 xl:grid-cols-2">
        <DayChart
          title="Revenue"
          description="Charges minus refunds, per day (UTC)"
          days={revenueByDay.map(({ day }) => day)}
          series={[
            {
              name: "Revenue",
              colour: "--color-data",
              keyClass: "bg-data",
              usd: usdOf(revenueByDay),
            },
          ]}
        />
        <DayChart
          title="Deposits and payouts"
          description="Credited and paid out, per day (UTC)"
          days={depositsByDay.map(({ day }) => day)}
          series={[
            {
              name: "Deposits",
              colour: "--color-good",
              keyClass: "bg-good",
              usd: usdOf(depositsByDay),
            },
            {
              name: "Payouts",
              colour: "--color-wait",
              keyClass: "bg-wait",
              usd: usdOf(payoutsByDay),
            },
          ]}
        />
      </div>
    </>
  );
}
