import { useQuery } from "@tanstack/react-query";
import { LinkButton } from "#ui/button.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { accountRoutes } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";
import { LedgerTable } from "#account/shared/ledger-table.tsx";
import { NoticeBanners } from "#account/shared/notice-banners.tsx";
import { AttentionStrip } from "./attention-strip.tsx";
import { BalancePanel } from "./balance-panel.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { KeyFigures } from "./key-figures.tsx";
import { RenewalsPanel } from "./renewals-panel.tsx";

const latestCount = 6;

export function OverviewPage() {
  const { data: summary } = useQuery(reads.accountSummary);
  const isNew = summary?.serverStates.length === 0;
  const hadMoney =
    summary !== undefined &&
    [summary.balanceUsd, summary.heldUsd, ...summary.balances.map(({ usd }) => usd)].some(
      (usd) => usd > 0,
    );
  return (
    <Page title="Overview" actions={<LinkButton to={accountRoutes.deposit}>Deposit</LinkButton>}>
      <NoticeBanners />
      <AttentionStrip />
      {isNew && <FirstSteps hasMoney={hadMoney} />}
      <KeyFigures />
      {!(isNew && !hadMoney) && (
        <>
          <div className="grid items-stretch gap-6 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <BalancePanel />
            <RenewalsPanel />
          </div>
          <LatestEntries />
        </>
      )}
    </Page>
  );
}

function LatestEntries() {
  const ledger = useQuery(reads.ledger);
  return (
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
  );
}
