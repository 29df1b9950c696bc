import { SettlementFailed, SettlementUnavailable, type ChainHealth } from "#ports/settlement.ts";
import type { BitcoinNode, ChainState } from "./bitcoin-node.ts";
import type { CoinChain } from "./coins.ts";

/** A node, and the chain that it must be on. */
export interface WatchedChain extends CoinChain {
  readonly network: string;
  readonly node: BitcoinNode;
}

const longestChainName = 20;

/**
 * Reads the node's state before each use, because another node can appear behind the same address.
 * Throws `SettlementFailed` when it is on another chain.
 */
export async function checkChain(
  { network, node, chain, genesisHash }: WatchedChain,
  signal: AbortSignal,
): Promise<ChainState> {
  const state = await node.chainState(signal);
  if (state.chain !== chain || state.genesisHash !== genesisHash) {
    throw new SettlementFailed(
      `The node of ${network} is on another chain (${state.chain.slice(0, longestChainName)}, first block ${state.genesisHash}). Check its RPC address.`,
    );
  }
  return state;
}

export async function checkHealth(
  watched: WatchedChain,
  needsPeers: boolean,
  signal: AbortSignal,
): Promise<ChainHealth> {
  const { network, node } = watched;
  const { tip, headers, isFirstDownload } = await checkChain(watched, signal);
  const { version, peers } = await node.peers(signal);
  if (needsPeers && isFirstDownload) {
    throw new SettlementUnavailable(
      `The node of ${network} is still downloading the chain: block ${tip.height} of ${headers}`,
    );
  }
  if (needsPeers && peers === 0) {
    throw new SettlementUnavailable(`The node of ${network} has no peers`);
  }
  return { height: tip.height, behindBlocks: Math.max(0, headers - tip.height), version, peers };
}
