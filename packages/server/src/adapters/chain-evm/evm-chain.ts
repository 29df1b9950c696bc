import { addr } from "micro-eth-signer";
import {
  SettlementFailed,
  type Asset,
  type Chain,
  type ConfirmationTier,
} from "#ports/settlement.ts";
import { createJsonRpc } from "../json-rpc.ts";
import type { RpcCredentials } from "../rpc-credentials.ts";
import { checkRpcUrl } from "../rpc-url.ts";
import { readEvmAccountKey } from "./account-key.ts";
import {
  checkHealth,
  etherDecimals,
  tokenDecimals,
  type Token,
  type WatchedChain,
} from "./check-chain.ts";
import { createEvmNode } from "./evm-node.ts";
import { readHoldings } from "./holdings.ts";
import { createEvmPayouts } from "./payouts.ts";
import { recheckOutputs } from "./recheck-outputs.ts";
import { scanChain } from "./scan-chain.ts";

export interface EvmChainOptions {
  readonly chainId: number;
  /** Without credentials: those are in files. */
  readonly rpcUrl: string;
  readonly credentials: RpcCredentials | undefined;
  /** The extended public key at m/44'/60'/account'. Deposit addresses are 0/index below it. */
  readonly accountPublicKey: string;
  /** The first block that can contain a deposit. */
  readonly birthHeight: number;
  /** `finalized`: a payment needs its block to be final, whatever its value. */
  readonly confirmations: readonly ConfirmationTier[] | "finalized";
  readonly tokens: readonly ConfiguredToken[];
  readonly answerMs?: number;
  /** Addresses are refused when the last scan is older. */
  readonly maxLagMs?: number;
}

export interface ConfiguredToken {
  readonly asset: Asset;
  readonly contract: string;
  readonly codeHash?: string | undefined;
}

const mainChainId = 1;
/** The trace of a full block takes seconds. */
const defaultAnswerMs = 30_000;
const defaultLagMs = 15 * 60_000;
const maxBehindBlocks = 2;
/** Reorganizations of this many blocks more than needed are still noticed. */
const extraDepth = 100;

/** A chain of Ethereum's kind through the JSON-RPC of a node. The node needs no account. */
export function createEvmChain(options: EvmChainOptions): Chain {
  const { chainId, birthHeight, answerMs = defaultAnswerMs } = options;
  if (!Number.isSafeInteger(birthHeight) || birthHeight < 0) {
    throw new Error("birthHeight must be a whole number, 0 or more.");
  }
  const isMain = chainId === mainChainId;
  const network = isMain ? "ethereum" : `ethereum-${chainId}`;
  const key = readEvmAccountKey(options.accountPublicKey);
  const tokens = options.tokens.map(readToken);
  const isByFinality = options.confirmations === "finalized";
  const confirmations =
    options.confirmations === "finalized" ? [{ fromCents: 0, needed: 1 }] : options.confirmations;
  const finalDepth = Math.max(...confirmations.map(({ needed }) => needed)) + extraDepth;

  const url = checkRpcUrl(options.rpcUrl);
  const { credentials } = options;
  const node = createEvmNode(network, createJsonRpc({ network, url, version: "2.0", credentials }));
  const watched: WatchedChain = { network, node, chainId, tokens, isByFinality };
  const scanned = { ...watched, birthHeight, finalDepth, pageMs: answerMs / 2 };
  const assets = new Map<Asset, { decimals: number; confirmations: readonly ConfirmationTier[] }>([
    ["ETH", { decimals: etherDecimals, confirmations }],
  ]);
  for (const { asset } of tokens) assets.set(asset, { decimals: tokenDecimals, confirmations });

  return {
    network,
    addressNetwork: isMain ? "main" : "test",
    assets,
    publicKey: key.publicKey,
    answerMs,
    maxLagMs: options.maxLagMs ?? defaultLagMs,
    maxBehindBlocks,
    finalDepth,
    health: (signal) => checkHealth(watched, isMain, signal),
    // One address receives every asset of the chain.
    addressAt: (index, asset) => {
      if (!assets.has(asset)) throw new SettlementFailed(`${network} has no ${asset}`);
      return key.depositAddress(index);
    },
    // The scan compares all payments with the issued addresses, so the node need not know them.
    prepareAddress: async () => {},
    scan: (cursor, own, signal) => scanChain(scanned, cursor, own, signal),
    recheck: (outputs, cursor, signal) => recheckOutputs(watched, outputs, cursor, signal),
    holdings: (addresses, height, signal) => readHoldings(watched, addresses, height, signal),
    payouts: createEvmPayouts({ ...watched, from: key.payoutAddress }),
  };
}

function readToken({ asset, contract, codeHash }: ConfiguredToken): Token {
  const isChecksummed = contract !== contract.toLowerCase();
  if (isChecksummed && !addr.isValid(contract)) {
    throw new Error(`The contract of ${asset} has an invalid checksum. Check for typing errors.`);
  }
  return {
    asset,
    contract: addr.addChecksum(contract.toLowerCase()),
    codeHash: codeHash?.toLowerCase(),
  };
}
