import { freshRate } from "#kernel/fresh-rate.ts";
import type { Core } from "#kernel/core.ts";
import { callChain } from "#kernel/settlement.ts";
import type { Asset, Chain, Rate } from "#ports/settlement.ts";
import { leaseChain } from "./chain-cursor.ts";
import { creditDeposits } from "./credit-deposits.ts";
import { recheckDeposits } from "./recheck-deposits.ts";
import { scanChain } from "./scan-chain.ts";
import type { ChainRun, SettlementPass } from "./settlement-pass.ts";

export interface WatchOptions {
  readonly stop?: AbortSignal;
  /** The instance that runs the pass. When set, chains that another instance is watching are skipped. */
  readonly holder?: string;
}

/**
 * Scans every chain once and credits confirmed payments. Any number of instances may run this at once and stop at any
 * point: the rows decide what is recorded and credited, not the order of the passes.
 */
export async function watchSettlement(
  core: Core,
  options: WatchOptions = {},
): Promise<SettlementPass> {
  const pass: SettlementPass = { seen: 0, credited: 0, gone: 0, failures: [] };
  const { settlement } = core;
  for (const chain of settlement?.chains ?? []) {
    const { seen, credited, gone, failures } = await watchChain(core, chain, options);
    pass.seen += seen;
    pass.credited += credited;
    pass.gone += gone;
    pass.failures.push(...failures);
  }
  return pass;
}

/** One pass over one chain: scan, recheck, credit. A failed step does not stop the next one. */
export async function watchChain(
  core: Core,
  chain: Chain,
  { stop, holder }: WatchOptions = {},
): Promise<SettlementPass> {
  const pass: SettlementPass = { seen: 0, credited: 0, gone: 0, failures: [] };
  const mode = core.settlement?.mode;
  if (mode === undefined) return pass;
  const run: ChainRun = { core, mode, chain, pass, rateOf: ratesOfOnePass(core, pass), stop };
  const isLeased = await attempt(pass, () => isOurs(run, holder));
  if (isLeased !== true) return pass;
  await attempt(pass, async () => {
    const health = await callChain(chain, (signal) => chain.health(signal));
    pass.height = health.height;
    if (await scanChain(run, health)) await recheckDeposits(run);
  });
  await attempt(pass, () => creditDeposits(run));
  return pass;
}

async function isOurs(
  { core, mode, chain: { network } }: ChainRun,
  holder: string | undefined,
): Promise<boolean> {
  return holder === undefined || leaseChain(core, { mode, network }, holder);
}

async function attempt<T>(pass: SettlementPass, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    pass.failures.push(error);
    return undefined;
  }
}

/** Each rate is fetched once per pass, outside any transaction, and a failure is reported once. */
function ratesOfOnePass(core: Core, pass: SettlementPass): ChainRun["rateOf"] {
  const asked = new Map<Asset, Promise<Rate | undefined>>();
  return (asset) => {
    const rate = asked.get(asset) ?? attempt(pass, () => freshRate(core, asset));
    asked.set(asset, rate);
    return rate;
  };
}
