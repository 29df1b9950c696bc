import type { LedgerEntry } from "@ironlease/client";

/** The balance over time. Each value holds until the next. */
export interface BalanceSeries {
  readonly seconds: readonly number[];
  readonly usd: readonly number[];
}

/** Takes ledger entries, newest first, and extends the last balance to now. */
export function balanceSeries(entries: readonly LedgerEntry[], now: number): BalanceSeries {
  const ordered = entries.toReversed();
  const [first] = ordered;
  const last = ordered.at(-1);
  if (first === undefined || last === undefined) return { seconds: [], usd: [] };
  return {
    seconds: [...ordered.map(({ createdAt }) => Date.parse(createdAt) / 1_000), now / 1_000],
    usd: [...ordered.map(({ balanceAfterUsd }) => balanceAfterUsd), last.balanceAfterUsd],
  };
}

/** A text alternative for the chart. */
export function seriesText({ usd }: BalanceSeries, moneyText: (usd: number) => string): string {
  const latest = usd.at(-1);
  if (latest === undefined) return "No ledger entries yet.";
  return `Balance over the latest ${usd.length - 1} ledger entries: between ${moneyText(Math.min(...usd))} and ${moneyText(Math.max(...usd))}, now ${moneyText(latest)}.`;
}
