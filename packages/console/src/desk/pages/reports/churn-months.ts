import type { MonthOfServers } from "@ironlease/client/operator";

/** Newest first. Months before the first server are left out, except the current month. */
export function churnMonths(months: readonly MonthOfServers[]): readonly MonthOfServers[] {
  const first = months.findIndex(({ atStart, delivered }) => atStart + delivered > 0);
  return months.slice(first).toReversed();
}
