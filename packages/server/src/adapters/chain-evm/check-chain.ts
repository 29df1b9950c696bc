import { keccak_256 } from "@noble/hashes/sha3.js";
import { hexToBytes } from "@noble/hashes/utils.js";
import {
  SettlementFailed,
  SettlementUnavailable,
  type Asset,
  type ChainCursor,
  type ChainHealth,
} from "#ports/settlement.ts";
import { resultOf, type RpcCall } from "../json-rpc.ts";
import { encodedDecimals } from "./erc20.ts";
import type { EvmNode } from "./evm-node.ts";

/** A token, identified by its contract. */
export interface Token {
  readonly asset: Asset;
  readonly contract: string;
  /** keccak256 of the contract's code. Undefined: only the address is pinned. */
  readonly codeHash: string | undefined;
}

/** A node, and the chain that it must be on. */
export interface WatchedChain {
  readonly network: string;
  readonly node: EvmNode;
  readonly chainId: number;
  readonly tokens: readonly Token[];
  /** Confirmations count from the finalized block in place of the latest one. */
  readonly isByFinality: boolean;
}

export interface ChainHead {
  readonly tip: ChainCursor;
  /** In seconds. */
  readonly tipAt: number;
  /** A block at this height has one confirmation. */
  readonly confirmedHeight: number;
}

export const etherDecimals = 18;
export const tokenDecimals = 6;
/** The main network has a block every 12 seconds. */
const maxTipAgeSeconds = 600;

/**
 * Reads the node's state before each use, because another node can appear behind the same address.
 * Throws `SettlementFailed` when it is on another chain.
 */
export async function checkChain(
  { network, node, chainId, isByFinality }: WatchedChain,
  signal: AbortSignal,
): Promise<ChainHead> {
  const calls: RpcCall[] = [
    { method: "eth_chainId", params: [] },
    { method: "eth_getBlockByNumber", params: ["latest", false] },
  ];
  if (isByFinality) calls.push({ method: "eth_getBlockByNumber", params: ["finalized", false] });
  const [id, latest, finalized] = await node.ask(calls, signal);
  const actual = node.read("eth_chainId").quantity(resultOf(id), "chain id");
  if (actual !== BigInt(chainId)) {
    throw new SettlementFailed(
      `The node of ${network} is on another chain (id ${actual}). Check its RPC address.`,
    );
  }
  const read = node.read("eth_getBlockByNumber");
  const { number, hash, timestamp } = read.fields(resultOf(latest));
  const height = read.number(number, "number");
  return {
    tip: { height, hash: read.hash(hash, "hash") },
    tipAt: read.number(timestamp, "timestamp"),
    confirmedHeight: isByFinality
      ? read.number(read.fields(resultOf(finalized))["number"], "finalized block")
      : height,
  };
}

/** 0 while the block is not final, where confirmations count from the finalized block. */
export function confirmationsAt({ confirmedHeight }: ChainHead, height: number): number {
  return Math.max(0, confirmedHeight - height + 1);
}

export async function checkHealth(
  watched: WatchedChain,
  isMain: boolean,
  signal: AbortSignal,
): Promise<ChainHealth> {
  const { network, node } = watched;
  const { tip, tipAt } = await checkChain(watched, signal);
  await checkTokens(watched, signal);
  const [syncing, clientVersion, peerCount] = await node.ask(
    ["eth_syncing", "web3_clientVersion", "net_peerCount"].map((method) => ({
      method,
      params: [],
    })),
    signal,
  );
  const behindBlocks = readBehind(node, resultOf(syncing));
  // Hosted nodes do not tell.
  const peers =
    peerCount === undefined || "error" in peerCount
      ? undefined
      : node.read("net_peerCount").number(peerCount.result, "peer count");
  if (isMain) checkProgress(network, { behindBlocks, peers, tipAt });
  return {
    height: tip.height,
    behindBlocks: behindBlocks ?? 0,
    version: node.read("web3_clientVersion").text(resultOf(clientVersion), "version"),
    peers: peers ?? 0,
  };
}

/** Undefined when the node does not sync. */
function readBehind(node: EvmNode, syncing: unknown): number | undefined {
  if (syncing === false) return undefined;
  const read = node.read("eth_syncing");
  const { currentBlock, highestBlock } = read.fields(syncing);
  const behind =
    read.number(highestBlock, "highestBlock") - read.number(currentBlock, "currentBlock");
  return Math.max(0, behind);
}

function checkProgress(
  network: string,
  node: {
    readonly behindBlocks: number | undefined;
    readonly peers: number | undefined;
    readonly tipAt: number;
  },
): void {
  if (node.behindBlocks !== undefined) {
    throw new SettlementUnavailable(`The node of ${network} is still synchronizing`);
  }
  if (node.peers === 0) throw new SettlementUnavailable(`The node of ${network} has no peers`);
  // A node that has lost its consensus client does not say that it is behind.
  const ageSeconds = Math.floor(Date.now() / 1_000) - node.tipAt;
  if (ageSeconds > maxTipAgeSeconds) {
    throw new SettlementUnavailable(
      `The latest block of the node of ${network} is ${Math.floor(ageSeconds / 60)} minutes old`,
    );
  }
}

/** Throws when a contract is not the configured token. */
async function checkTokens(
  { network, node, tokens }: WatchedChain,
  signal: AbortSignal,
): Promise<void> {
  const answers = await node.ask(
    tokens.flatMap(({ contract }) => [
      { method: "eth_getCode", params: [contract, "latest"] },
      { method: "eth_call", params: [{ to: contract, data: encodedDecimals }, "latest"] },
    ]),
    signal,
  );
  for (const [index, { asset, contract, codeHash }] of tokens.entries()) {
    const [code, decimals] = answers.slice(index * 2);
    const bytes = node.read("eth_getCode").bytes(resultOf(code), "code");
    const actual = `0x${Buffer.from(keccak_256(hexToBytes(bytes.slice(2)))).toString("hex")}`;
    if (bytes === "0x") {
      throw new SettlementFailed(`${network} has no contract at ${contract}. Check ${asset}.`);
    }
    if (codeHash !== undefined && codeHash !== actual) {
      throw new SettlementFailed(
        `The contract of ${asset} on ${network} has the code hash ${actual}, not the configured one.`,
      );
    }
    if (node.read("eth_call").number(resultOf(decimals), "decimals") !== tokenDecimals) {
      throw new SettlementFailed(
        `The contract of ${asset} on ${network} does not have ${tokenDecimals} decimals.`,
      );
    }
  }
}
