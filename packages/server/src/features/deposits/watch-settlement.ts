import type { Core } from "#kernel/core.ts";
import { creditDeposits } from "./credit-deposits.ts";
import { readPlace, recordNews } from "./record-news.ts";
import type { SettlementPass, SettlementRun } from "./settlement-pass.ts";
import { callProvider } from "./provider-deadline.ts";

/** Bounds a pass even if the provider always has more. The next pass continues from the cursor. */
const maxPages = 100;

/**
 * Polls every network once and credits confirmed payments. Any number of instances may run this at once and stop at
 * any point: the rows decide what is recorded and credited, not the order of the passes.
 */
export async function watchSettlement(core: Core, stop?: AbortSignal): Promise<SettlementPass> {
  const pass: SettlementPass = { seen: 0, credited: 0, gone: 0, failures: [] };
  const { settlement } = core;
  if (settlement === undefined) return pass;

  const networks = new Set([...settlement.assets.values()].map(({ network }) => network));
  const run = { core, settlement, pass, stop };
  for (const network of networks) {
    await attempt(pass, () => watchNetwork(run, network));
  }
  await attempt(pass, () => creditDeposits(run));
  return pass;
}

async function attempt(pass: SettlementPass, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    pass.failures.push(error);
  }
}

async function watchNetwork(run: SettlementRun, network: string): Promise<void> {
  const { core, settlement, stop } = run;
  for (let page = 0; page < maxPages; page += 1) {
    if (stop?.aborted === true) return;
    const place = await readPlace(core, settlement.mode, network);
    const news = await callProvider(settlement, (signal) =>
      settlement.watch(network, place.cursor, signal),
    );
    const isCurrent = await recordNews(run, place, news);
    if (isCurrent && !news.hasMore) return;
  }
}
