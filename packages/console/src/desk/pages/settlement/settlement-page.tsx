import type { ReadSettlementAnswer } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { Coins, Landmark } from "#ui/icons.ts";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { Table } from "#ui/table.tsx";
import { reads } from "#desk/data/reads.ts";
import { customerDepositColumns } from "#desk/shared/deposit-columns.tsx";
import { Alarms } from "./alarms.tsx";
import { BalancesPanel } from "./balances-panel.tsx";
import { chainColumns } from "./chain-columns.tsx";
import { RatesPanel } from "./rates-panel.tsx";

export function SettlementPage() {
  const settlement = useQuery(reads.settlement);
  return (
    <Page title="Settlement" lead="Chains, rates and deposits that are not credited yet">
      <Loaded query={settlement}>{(state) => <State state={state} />}</Loaded>
    </Page>
  );
}

function State({ state: { chains, waiting, alarms } }: { readonly state: ReadSettlementAnswer }) {
  if (chains.length === 0) {
    return (
      <Panel>
        <EmptyState
          icon={<Landmark className="size-6" />}
          title="No settlement provider is connected"
        >
          Deposits are refused until one is configured.
        </EmptyState>
      </Panel>
    );
  }
  return (
    <>
      <Alarms alarms={alarms} />
      <Panel title="Chains" description="Every node is asked when this page refreshes" isFlush>
        <Table
          label="Chains"
          isDense
          columns={chainColumns}
          rows={chains}
          keyOf={({ network }) => network}
        />
      </Panel>
      <BalancesPanel chains={chains} />
      <RatesPanel assets={chains.flatMap(({ assets }) => assets)} />
      <Panel
        title="Waiting deposits"
        description="Confirmed by the network, not credited yet. Usually a rate is missing."
        isFlush
      >
        {waiting.length === 0 ? (
          <EmptyState icon={<Coins className="size-6" />} title="No deposits are waiting" />
        ) : (
          <Table
            label="Waiting deposits"
            isDense
            columns={customerDepositColumns}
            rows={waiting}
            keyOf={({ id }) => id}
          />
        )}
      </Panel>
    </>
  );
}
