import type { Core } from "#kernel/core.ts";
import { callChain } from "#kernel/settlement.ts";
import {
  SettlementFailed,
  SettlementUnavailable,
  type Asset,
  type Chain,
  type Settlement,
  type SettlementMode,
} from "#ports/settlement.ts";
import { nextIndex, readHoldings } from "./address-holdings.ts";
import { chainAlarms, unexplainedAlarm, type SettlementAlarm } from "./alarms.ts";
import { creditedUnits, spentUnits } from "./credited-units.ts";

/** One request to the node. */
const checkedAddresses = 100;

/** The state of one chain, as its node reports it now and as the service last scanned it. */
export interface ChainState {
  readonly network: string;
  readonly mode: SettlementMode;
  readonly assets: readonly Asset[];
  /** Null when the node cannot be used. */
  readonly height: number | null;
  readonly behindBlocks: number | null;
  readonly scannedHeight: number | null;
  /** When a scan last reached the tip. */
  readonly scannedAt: number | null;
  /** Why no address is issued, or null. */
  readonly error: string | null;
  readonly balances: readonly AssetBalance[];
}

export interface AssetBalance {
  readonly asset: Asset;
  /** What the node sees in the wallet. Null before it was read, and on chains without payouts. */
  readonly walletUnits: string | null;
  /** When the node was asked. */
  readonly walletAt: number | null;
  /** The sum of all credited deposits, less what payouts and their fees have spent. */
  readonly ledgerUnits: bigint;
}

export interface SettlementState {
  readonly chains: readonly ChainState[];
  /** Of the chains. Lost payments are alarms too. */
  readonly alarms: readonly SettlementAlarm[];
}

/** Asks all nodes at once, each within its own deadline. A node that fails affects only its own chain. */
export async function readSettlement(core: Core): Promise<SettlementState> {
  const { settlement } = core;
  if (settlement === undefined) return { chains: [], alarms: [] };
  const chains = await Promise.all(
    settlement.chains.map((chain) => readChain(core, settlement, chain)),
  );
  const now = core.clock.now();
  const alarms = settlement.chains.flatMap((chain, index) => {
    const state = chains[index];
    return state === undefined ? [] : chainAlarms(chain, state, now);
  });
  const unexplained = await Promise.all(
    settlement.chains
      .filter((_, index) => chains[index]?.height !== null)
      .map((chain) => unexplainedAlarms(core, settlement, chain)),
  );
  return { chains, alarms: [...alarms, ...unexplained.flat()] };
}

async function readChain(core: Core, { mode }: Settlement, chain: Chain): Promise<ChainState> {
  const { network } = chain;
  const assets = [...chain.assets.keys()];
  const [node, scan, balances] = await Promise.all([
    readNode(chain),
    lastScan(core, mode, network),
    Promise.all(assets.map(async (asset) => balanceOf(core, network, asset))),
  ]);
  return { network, mode, assets, ...node, ...scan, balances };
}

/** Checks the addresses that were issued last. `ironleased settlement sweep-list` checks all of them. */
async function unexplainedAlarms(
  { db, clock }: Core,
  { mode }: Settlement,
  chain: Chain,
): Promise<readonly SettlementAlarm[]> {
  if (chain.holdings === undefined) return [];
  const network = { db, mode, chain };
  const from = Math.max(0, (await nextIndex(network)) - checkedAddresses);
  try {
    const { holdings } = await readHoldings(network, from);
    return holdings
      .filter(({ units, recordedUnits }) => units > recordedUnits)
      .map((holding) => unexplainedAlarm(chain.network, holding, clock.now()));
  } catch (error) {
    // A node that fails between two calls. The next read shows the alarm of the chain.
    if (error instanceof SettlementUnavailable || error instanceof SettlementFailed) return [];
    throw error;
  }
}

async function balanceOf(core: Core, network: string, asset: Asset): Promise<AssetBalance> {
  const [credited, spent, wallet] = await Promise.all([
    creditedUnits(core, network, asset),
    spentUnits(core, network, asset),
    core.db.read
      .selectFrom("wallet_balances")
      .select(["units", "seen_at as seenAt"])
      .where("network", "=", network)
      .where("asset", "=", asset)
      .executeTakeFirst(),
  ]);
  const { units: walletUnits = null, seenAt: walletAt = null } = wallet ?? {};
  return { asset, walletUnits, walletAt, ledgerUnits: credited - spent };
}

type NodeState = Pick<ChainState, "height" | "behindBlocks" | "error">;

async function readNode(chain: Chain): Promise<NodeState> {
  try {
    const { height, behindBlocks } = await callChain(chain, (signal) => chain.health(signal));
    const isBehind = behindBlocks > chain.maxBehindBlocks;
    const error = isBehind ? `The node of ${chain.network} is ${behindBlocks} blocks behind` : null;
    return { height, behindBlocks, error };
  } catch (error) {
    return { height: null, behindBlocks: null, error: reasonOf(error) };
  }
}

/**
 * The messages of these two errors are written for operators and name no secret. Any other error is a bug: the
 * settlement job meets it too and logs it in full.
 */
function reasonOf(error: unknown): string {
  return error instanceof SettlementUnavailable || error instanceof SettlementFailed
    ? error.message
    : "The node could not be asked because of an unexpected error. See the service's log.";
}

async function lastScan(
  { db }: Core,
  mode: SettlementMode,
  network: string,
): Promise<Pick<ChainState, "scannedHeight" | "scannedAt">> {
  const cursor = await db.read
    .selectFrom("settlement_cursors")
    .select(["height as scannedHeight", "scanned_at as scannedAt"])
    .where("mode", "=", mode)
    .where("network", "=", network)
    .executeTakeFirst();
  return cursor ?? { scannedHeight: null, scannedAt: null };
}
