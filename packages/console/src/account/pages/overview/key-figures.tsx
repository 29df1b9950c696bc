import type { ReadAccountSummaryAnswer, ServerDue } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { Money } from "#ui/money.tsx";
import { moneyText } from "#ui/money-text.ts";
import { Stat, Stats } from "#ui/stat.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { accountRoutes, urlOf } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";
import { useServerNames } from "#account/shared/use-server-names.ts";
import { ServerStateBadge } from "#account/shared/server-states.tsx";

/** The key figures of the account. */
export function KeyFigures() {
  const summary = useQuery(reads.accountSummary);
  return (
    <Stats>
      <Stat name="Balance" query={summary} note={balanceNote}>
        {({ balanceUsd }) => <Money usd={balanceUsd} />}
      </Stat>
      <Stat name="Monthly cost" query={summary} note={() => "Automatic renewals in 30 days"}>
        {({ monthlyUsd }) => <Money usd={monthlyUsd} />}
      </Stat>
      <Stat name="Renewals covered until" query={summary} note={coverageNote}>
        {coveredUntil}
      </Stat>
      <Stat name="Servers" query={summary} note={statesNote}>
        {({ serverStates }) => serverStates.reduce((sum, { count }) => sum + count, 0)}
      </Stat>
    </Stats>
  );
}

function balanceNote({ heldUsd }: ReadAccountSummaryAnswer): string {
  return heldUsd === 0
    ? "Available for orders and renewals"
    : `And ${moneyText(heldUsd)} held for withdrawals`;
}

function coveredUntil({ uncovered, upcoming }: ReadAccountSummaryAnswer) {
  if (uncovered !== null) return <Time at={uncovered.at} isDay />;
  return upcoming.length === 0 ? "–" : "Over a year";
}

function coverageNote({ uncovered, upcoming }: ReadAccountSummaryAnswer) {
  if (uncovered === null) {
    return upcoming.length === 0 ? "No automatic renewals" : "If nothing else is charged";
  }
  return (
    <>
      Balance then too low for{" "}
      <TextLink to={urlOf(accountRoutes.server, { id: uncovered.id })} className="wrap-anywhere">
        <UncoveredName server={uncovered} />
      </TextLink>{" "}
      (<Money usd={uncovered.usd} />)
    </>
  );
}

function UncoveredName({ server }: { readonly server: ServerDue }) {
  return useServerNames([server])(server);
}

function statesNote({ serverStates }: ReadAccountSummaryAnswer) {
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-1">
      {serverStates.map(({ state, count }) => (
        <span key={state} className="flex items-center gap-1.5">
          {count} <ServerStateBadge state={state} />
        </span>
      ))}
    </span>
  );
}
