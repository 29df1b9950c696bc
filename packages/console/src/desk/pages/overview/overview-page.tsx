import type { ReadOverviewAnswer } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Money } from "#ui/money.tsx";
import { Page } from "#ui/page.tsx";
import { Loaded } from "#ui/states.tsx";
import { reads } from "#desk/data/reads.ts";
import { MachineStateBadge, machineStateOf } from "#desk/shared/machine-state.tsx";
import { ServerStateBadge } from "#desk/shared/server-state.tsx";
import { CountsPanel } from "./counts-panel.tsx";
import { DayChart } from "./day-chart.tsx";
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
  const { work, servers, machines, balancesUsd, heldUsd, reverseDns } = overview;
  const { revenueByDay, depositsByDay, payoutsByDay } = overview;
  const open = work.reduce((sum, one) => sum + one.open, 0);
  const claimed = work.reduce((sum, one) => sum + one.claimed, 0);
  const usdOf = (days: ReadOverviewAnswer["revenueByDay"]) => days.map(({ usd }) => usd);
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none">
        <Tile name="Open work" note={`${claimed} claimed`}>
          {open}
        </Tile>
        <Tile name="Free machines" note="Without a customer">
          {machines.find(({ state }) => state === "FREE")?.count ?? 0}
        </Tile>
        <Tile name="Customer balances" note="Available to spend">
          <Money usd={balancesUsd} />
        </Tile>
        <Tile name="Held" note="Withdrawals under review">
          <Money usd={heldUsd} />
        </Tile>
        {reverseDns !== null && (
          <Tile name="Reverse DNS pending" note={`${reverseDns.failed} failed`}>
            {reverseDns.pending}
          </Tile>
        )}
      </dl>
      <div className="grid items-stretch gap-5 md:grid-cols-2 2xl:grid-cols-3">
        <div className="grid md:row-span-2 2xl:row-span-1">
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
              colour: "--color-accent",
              keyClass: "bg-accent",
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

function Tile({
  name,
  note,
  children,
}: {
  readonly name: string;
  readonly note: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="flex min-w-0 flex-col rounded-lg border border-line bg-surface p-4 shadow-panel max-lg:last:odd:col-span-2">
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className="flex flex-col">
        <span className="figures text-xl font-semibold tracking-tight sm:text-2xl">{children}</span>
        <span className="text-xs text-quiet">{note}</span>
      </dd>
    </div>
  );
}
