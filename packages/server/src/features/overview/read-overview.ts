import type { Core } from "#kernel/core.ts";
import type { Figures } from "#ports/metrics.ts";
import { moneyByDay, type DayOfMoney } from "./money-by-day.ts";
import { readFigures } from "./read-figures.ts";

/** The front page of the desk: how things are now, and what money did lately. */
export interface Overview extends Figures {
  /** The oldest first, today last; also those on which nothing moved. */
  readonly days: readonly DayOfMoney[];
}

const shownDays = 30;

export async function readOverview(core: Core): Promise<Overview> {
  return { ...(await readFigures(core)), days: await moneyByDay(core, shownDays) };
}
