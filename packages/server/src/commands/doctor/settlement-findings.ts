import { assets } from "@ironlease/contract";
import { clock } from "#composition/inspect.ts";
import { createChains, createRates } from "#composition/create-settlement.ts";
import { inspectDatabase } from "#composition/open-database.ts";
import { readSettlementFile, type SettlementPlan } from "#composition/settlement-file.ts";
import { ConfigError, type Config } from "#config.ts";
import { freshRate } from "#kernel/fresh-rate.ts";
import { callChain } from "#kernel/settlement.ts";
import { migrations } from "#migrations/index.ts";
import type { Asset, Chain } from "#ports/settlement.ts";
import type { Finding } from "./finding.ts";

/** Asks every node and every source of rates. Changes nothing. */
export async function settlementFindings(config: Config): Promise<readonly Finding[]> {
  const subject = "settlement";
  const { settlement: chosen } = config;
  if (chosen === "none") return [{ subject, note: "none: deposits are refused" }];
  if (chosen === "simulated") return [{ subject, detail: "simulated, without money" }];
  try {
    const plan = readSettlementFile(chosen.file);
    const chains = createChains(plan, config.settlementLagMs);
    const named = chains.map(({ network }) => network).join(", ");
    return [
      { subject, detail: `${plan.mode}: ${named}` },
      ...(await Promise.all(chains.map(chainFinding))),
      ...(await rateFindings(config, plan, chains)),
    ];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((problem) => ({ subject, problem }));
  }
}

async function chainFinding(chain: Chain): Promise<Finding> {
  const subject = chain.network;
  try {
    const health = await callChain(chain, (signal) => chain.health(signal));
    const { height, behindBlocks, version } = health;
    if (behindBlocks > chain.maxBehindBlocks) {
      return { subject, problem: `the node is ${behindBlocks} blocks behind: let it catch up` };
    }
    return { subject, detail: `height ${height}, node ${version}` };
  } catch (error) {
    return { subject, problem: messageOf(error) };
  }
}

async function rateFindings(
  config: Config,
  plan: SettlementPlan,
  chains: readonly Chain[],
): Promise<readonly Finding[]> {
  const connected = assets.filter((asset) => chains.some((chain) => chain.assets.has(asset)));
  const db = await inspectDatabase(config);
  if (db === undefined) return [{ subject: "rates", note: "not checked before the first start" }];
  try {
    if ((await db.pending(migrations)).length > 0) {
      return [
        { subject: "rates", note: "not checked before the next start migrates the database" },
      ];
    }
    const { rates } = createRates(plan, { db, clock });
    const find = (asset: Asset) => rateFinding(asset, () => freshRate({ rates, clock }, asset));
    return await Promise.all(connected.map(find));
  } finally {
    await db.close();
  }
}

/** Without a rate the service runs, but credits nothing. */
async function rateFinding(
  asset: Asset,
  ask: () => ReturnType<typeof freshRate>,
): Promise<Finding> {
  const subject = `rate of ${asset}`;
  try {
    const { rate, sources } = await ask();
    return { subject, detail: `${rate} USD from ${sources.join(", ")}` };
  } catch (error) {
    return { subject, note: `${messageOf(error)}. Deposits wait until there is one.` };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
