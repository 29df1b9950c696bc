import type { Core } from "#kernel/core.ts";
import type { Settlement } from "#ports/settlement.ts";
import { boundedCall } from "#kernel/concurrency/deadline.ts";
import { creditDeposits } from "./credit-deposits.ts";
import { readPlace, recordNews } from "./record-news.ts";
import type { SettlementPass } from "./settlement-pass.ts";

/** A pass ends even when the provider has ever more to tell; the next one goes on from there. */
const maxPages = 100;

/**
 * Asks every network once what has happened and credits what is confirmed. Any number of instances
 * may do so at once, and it may stop anywhere: what is recorded and what is credited are decided by
 * the rows, never by who comes first.
 */
export async function watchSettlement(core: Core, stop?: AbortSignal): Promise<SettlementPass> {
  const pass: SettlementPass = { seen: 0, credited: 0, gone: 0, failures: [] };
  const { settlement } = core;
  if (settlement === undefined) return pass;

  const networks = new Set([...settlement.assets.values()].map(({ network }) => network));
  for (const network of networks) {
    await attempt(pass, () => watchNetwork(core, settlement, network, pass, stop));
  }
  await attempt(pass, () => creditDeposits(core, settlement, pass, stop));
  return pass;
}

async function attempt(pass: SettlementPass, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    pass.failures.push(error);
  }
}

async function watchNetwork(
  core: Core,
  settlement: Settlement,
  network: string,
  pass: SettlementPass,
  stop: AbortSignal | undefined,
): Promise<void> {
  for (let page = 0; page < maxPages; page += 1) {
    if (stop?.aborted === true) return;
    const place = await readPlace(core, settlement.mode, network);
    const news = await boundedCall(settlement.answerMs, (signal) =>
      settlement.watch(network, place.cursor, signal),
    );
    const isCurrent = await recordNews(core, settlement, place, news, pass);
    if (isCurrent && !news.hasMore) return;
  }
}
