import type { ReadAccountSummaryAnswer } from "@ironlease/client";
import { sumUsd } from "#ui/money-text.ts";
import { utcDayText } from "#ui/utc-day-text.ts";

const dayMs = 86_400_000;

export const ranges = [30, 90] as const;
export type Range = (typeof ranges)[number];

/** The balance of one day in UTC: at its end, now, or after the renewals that are due until its end. */
export interface BalancePoint {
  /** Midnight in UTC at the start of the day. */
  readonly at: number;
  readonly usd: number;
  readonly kind: "past" | "now" | "projected";
  /** The automatic renewals of the day, if it is today or later. */
  readonly renewals?: { readonly count: number; readonly usd: number } | undefined;
}

type Summary = Pick<ReadAccountSummaryAnswer, "balanceUsd" | "balances" | "renewals">;

/** One point per day: the last days, today, and as many days ahead. */
export function balanceSeries(summary: Summary, range: Range): readonly BalancePoint[] {
  const { balanceUsd, balances, renewals } = summary;
  const past = balances
    .slice(-range)
    .map(({ day, usd }): BalancePoint => ({ at: Date.parse(day), usd, kind: "past" }));
  const today = (past.at(-1)?.at ?? 0) + dayMs;
  const due = new Map(renewals.map((renewal) => [Date.parse(renewal.day), renewal]));
  const now: BalancePoint = { at: today, usd: balanceUsd, kind: "now", renewals: due.get(today) };
  let left = sumUsd([balanceUsd, -(now.renewals?.usd ?? 0)]);
  const ahead = Array.from({ length: range }, (_, index): BalancePoint => {
    const at = today + (index + 1) * dayMs;
    left = sumUsd([left, -(due.get(at)?.usd ?? 0)]);
    return { at, usd: left, kind: "projected", renewals: due.get(at) };
  });
  return [...past, now, ...ahead];
}

/** "18 Nov 2026: $120.00, 2 renewals for $80.00" */
export function pointText(point: BalancePoint, moneyText: (usd: number) => string): string {
  const { at, usd, kind, renewals } = point;
  const words = { past: "", now: " now", projected: " projected" }[kind];
  const noun = renewals?.count === 1 ? "renewal" : "renewals";
  const due =
    renewals === undefined ? "" : `, ${renewals.count} ${noun} for ${moneyText(renewals.usd)}`;
  return `${utcDayText(at)}: ${moneyText(usd)}${words}${due}`;
}

/** A text alternative for the chart. */
export function seriesText(
  points: readonly BalancePoint[],
  moneyText: (usd: number) => string,
): string {
  const past = points.filter(({ kind }) => kind !== "projected").map(({ usd }) => usd);
  const last = points.at(-1);
  const now = past.at(-1);
  if (last === undefined || now === undefined) return "No balance yet.";
  const ahead = points.filter(({ kind }) => kind === "projected").length;
  return (
    `Balance over the last ${past.length - 1} days: between ${moneyText(Math.min(...past))} and ` +
    `${moneyText(Math.max(...past))}, now ${moneyText(now)}. ` +
    `Projected after the renewals of the next ${ahead} days: ${moneyText(last.usd)}.`
  );
}
