import type { Term } from "#ports/schema.ts";

const dayMs = 86_400_000;

/** The length of a term: 7 or 30 days of 24 hours, independent of the calendar. */
export const termMs: Readonly<Record<Term, number>> = { weekly: 7 * dayMs, monthly: 30 * dayMs };

/** A balance is low when it does not cover the renewals of the days ahead. */
export const lowBalanceAheadMs = 3 * dayMs;

/** The share of a price per term for the time from now until the end of the paid term, rounded half up to a cent. */
export function shareOfTerm(
  cents: number,
  { term, paidThrough }: { readonly term: Term; readonly paidThrough: number },
  now: number,
): number {
  const whole = BigInt(termMs[term]);
  const left = BigInt(Math.max(0, paidThrough - now));
  return Number((2n * BigInt(cents) * left + whole) / (2n * whole));
}
