import type { Core } from "#kernel/core.ts";
import type { Figures } from "#ports/metrics.ts";
import { moneyByDay, type DayOfMoney } from "./money-by-day.ts";
import { readFigures } from "./read-figures.ts";

/** The operators' overview: the current state, and money over the last days. */
export interface Overview extends Figures {
  /** Oldest first, today last, including days without movements. */
  readonly days: readonly DayOfMoney[];
}

const shownDays = 30;

export async function readOverview(core: Core): Promise<Overview> {
  return { ...(await readFigures(core)), days: await moneyByDay(core, shownDays) };
}
