import type { Core } from "#kernel/core.ts";
import { dayMs } from "#kernel/ledger-days.ts";

/** A month in UTC, as numbers of days since 1970. */
export interface Month {
  /** `2026-11`. */
  readonly name: string;
  readonly firstDay: number;
  /** Exclusive. */
  readonly endDay: number;
}

/** The named month; by default the current one. */
export function monthOf({ clock }: Pick<Core, "clock">, name: string | undefined): Month {
  const own = name ?? new Date(clock.now()).toISOString().slice(0, 7);
  const [year = 0, month = 0] = own.split("-").map(Number);
  const firstDay = Date.UTC(year, month - 1) / dayMs;
  return { name: own, firstDay, endDay: Date.UTC(year, month) / dayMs };
}

/** The months up to the current one, oldest first. */
export function lastMonths({ clock }: Pick<Core, "clock">, count: number): readonly Month[] {
  const now = new Date(clock.now());
  return Array.from({ length: count }, (_, index) => {
    const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count + 1 + index);
    return monthOf({ clock }, new Date(first).toISOString().slice(0, 7));
  });
}
