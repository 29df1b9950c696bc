import { SettlementFailed, SettlementUnavailable, type ChainHealth } from "#ports/settlement.ts";
import type { DaemonInfo, MoneroDaemon } from "./monero-daemon.ts";
import type { NetworkTerms } from "./networks.ts";
import type { ViewWallet } from "./view-wallet.ts";

/** A daemon and a wallet, and the chain that they must be on. */
export interface WatchedChain {
  readonly network: string;
  readonly terms: NetworkTerms;
  readonly daemon: MoneroDaemon;
  readonly wallet: ViewWallet;
  readonly birthHeight: number;
}

const longestName = 20;
/** The wallet refreshes itself in small steps. Asked to catch up further, it would answer nothing for hours. */
const mostRefreshedBlocks = 1000;

/**
 * Reads the daemon's state before each use, because another daemon can appear behind the same address.
 * Throws `SettlementFailed` when it is on another chain.
 */
export async function checkChain(
  { network, terms, daemon }: Pick<WatchedChain, "network" | "terms" | "daemon">,
  signal: AbortSignal,
): Promise<DaemonInfo> {
  const info = await daemon.info(signal);
  const genesis = await daemon.hashAt(0, signal);
  if (info.nettype !== terms.nettype || genesis !== terms.genesisHash) {
    throw new SettlementFailed(
      `The daemon of ${network} is on another chain (${info.nettype.slice(0, longestName)}, first block ${genesis}). Check its address.`,
    );
  }
  return info;
}

/**
 * Lets the wallet scan what is new. Resolves to the number of blocks that it has scanned. It can be more than the
 * daemon has: after a reorganization the wallet stays on its old branch until the daemon's is longer.
 */
export async function syncWallet(
  { wallet, birthHeight }: WatchedChain,
  { tip }: DaemonInfo,
  signal: AbortSignal,
): Promise<number> {
  const before = await wallet.height(signal);
  // A new wallet has scanned nothing, but starts at the birth height.
  if (tip.height - Math.max(before, birthHeight) > mostRefreshedBlocks) return before;
  await wallet.refresh(signal);
  return wallet.height(signal);
}

export async function checkHealth(
  watched: WatchedChain,
  isPublic: boolean,
  signal: AbortSignal,
): Promise<ChainHealth> {
  const { network, wallet } = watched;
  const info = await checkChain(watched, signal);
  const { tip, targetHeight, version, peers } = info;
  if (isPublic && !info.isSynchronized) {
    throw new SettlementUnavailable(
      `The daemon of ${network} is still downloading the chain: block ${tip.height} of ${targetHeight}`,
    );
  }
  if (isPublic && peers === 0 && !info.isRestricted) {
    throw new SettlementUnavailable(`The daemon of ${network} has no peers`);
  }
  await wallet.open(signal);
  const walletHeight = await syncWallet(watched, info, signal);
  const daemonHeight = tip.height + 1;
  // A wallet ahead of its daemon is on another branch, and cannot be trusted either.
  const walletBehind = Math.abs(daemonHeight - walletHeight);
  const behindBlocks = Math.max(targetHeight - daemonHeight, walletBehind);
  return { height: tip.height, behindBlocks, version, peers };
}
