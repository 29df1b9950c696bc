import type { ListServersAnswer, ReadLedgerAnswer } from "@ironlease/client";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { LinkButton } from "#ui/button.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { accountRoutes } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";
import { LedgerTable } from "#account/shared/ledger-table.tsx";
import { NoticeBanners } from "#account/shared/notice-banners.tsx";
import { BalancePanel } from "./balance-panel.tsx";
import { BalanceTiles } from "./balance-tiles.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { RenewalsPanel } from "./renewals-panel.tsx";

const latestCount = 6;

export function OverviewPage() {
  const ledger = useQuery(reads.ledger);
  const servers = useQuery(reads.servers);
  const isNew = servers.data?.servers.length === 0 && ledger.data !== undefined;
  const isEmpty = isNew && ledger.data.entries.length === 0;
  return (
    <Page title="Overview" actions={<LinkButton to={accountRoutes.deposit}>Deposit</LinkButton>}>
      <NoticeBanners />
      {isNew && <FirstSteps hasMoney={ledger.data.entries.length > 0} />}
      <BalanceTiles ledger={ledger} servers={servers} />
      {!isEmpty && <Details ledger={ledger} servers={servers} />}
    </Page>
  );
}

function Details({
  ledger,
  servers,
}: {
  readonly ledger: UseQueryResult<ReadLedgerAnswer>;
  readonly servers: UseQueryResult<ListServersAnswer>;
}) {
  return (
    <>
      <div className="grid items-stretch gap-6 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <BalancePanel ledger={ledger} />
        <RenewalsPanel servers={servers} />
      </div>
      <Panel
        title="Latest ledger entries"
        isFlush
        actions={
          <TextLink to={accountRoutes.billing} className="text-sm">
            View ledger
          </TextLink>
        }
      >
        <Loaded query={ledger}>
          {({ entries }) =>
            entries.length === 0 ? (
              <EmptyState title="No ledger entries yet" />
            ) : (
              <LedgerTable entries={entries.slice(0, latestCount)} />
            )
          }
        </Loaded>
      </Panel>
    </>
  );
}
