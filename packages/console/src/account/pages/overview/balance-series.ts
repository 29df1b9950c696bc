import type { LedgerEntry } from "@ironlease/client";

/** The balance over time as points in order: seconds and USD. Each holds until the next. */
export interface BalanceSeries {
  readonly seconds: readonly number[];
  readonly usd: readonly number[];
}

/** From the ledger's latest entries, newest first, up to now. */
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

/** The same in a sentence, for those who cannot see a chart. */
export function seriesText({ usd }: BalanceSeries, moneyText: (usd: number) => string): string {
  const latest = usd.at(-1);
  if (latest === undefined) return "No movements yet.";
  return `Balance over the latest ${usd.length - 1} movements: between ${moneyText(Math.min(...usd))} and ${moneyText(Math.max(...usd))}, now ${moneyText(latest)}.`;
}
