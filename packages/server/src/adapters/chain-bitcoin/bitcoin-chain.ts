import { SettlementFailed, type Chain, type ConfirmationTier } from "#ports/settlement.ts";
import { readAccountKey } from "./account-key.ts";
import { createBitcoinNode } from "./bitcoin-node.ts";
import { createBitcoinPayouts } from "./bitcoin-payouts.ts";
import { createPayoutNode } from "./payout-node.ts";
import { checkHealth } from "./check-chain.ts";
import { coins, type CoinKind, type CoinNetwork } from "./coins.ts";
import type { RpcCredentials } from "../rpc-credentials.ts";
import { createJsonRpc } from "../json-rpc.ts";
import { checkRpcUrl } from "../rpc-url.ts";
import { createPoolWatch } from "./pool-watch.ts";
import { recheckOutputs } from "./recheck-outputs.ts";
import { scanChain } from "./scan-chain.ts";

export interface BitcoinChainOptions {
  readonly kind: CoinKind;
  readonly network: CoinNetwork;
  /** Without credentials: those are in files. */
  readonly rpcUrl: string;
  readonly credentials: RpcCredentials;
  /** The extended public key of a BIP84 account. Deposit addresses are 0/index below it. */
  readonly accountPublicKey: string;
  /** The first block that can contain a deposit. */
  readonly birthHeight: number;
  readonly confirmations: readonly ConfirmationTier[];
  readonly answerMs?: number;
  /** Addresses are refused when the last scan is older. */
  readonly maxLagMs?: number;
}

const decimals = 8;
const defaultAnswerMs = 10_000;
const defaultLagMs = 15 * 60_000;
/** A block that has just arrived takes a moment to verify. */
const maxBehindBlocks = 2;
/** Reorganizations of this many blocks more than needed are still noticed. */
const extraDepth = 100;

/** Bitcoin or Litecoin through the RPC of a full node. The node needs no wallet. */
export function createBitcoinChain(options: BitcoinChainOptions): Chain {
  const { kind, birthHeight, confirmations, answerMs = defaultAnswerMs } = options;
  const { asset, keyVersions, chains, dustUnits } = coins[kind];
  const coinChain = chains[options.network];
  if (coinChain === undefined)
    throw new Error(`The adapter does not support ${kind} on ${options.network}.`);
  if (!Number.isSafeInteger(birthHeight) || birthHeight < 0) {
    throw new Error("birthHeight must be a whole number, 0 or more.");
  }
  const isMain = options.network === "mainnet";
  const network = isMain ? kind : `${kind}-${options.network}`;
  const addressNetwork = isMain ? "main" : "test";
  const { prefix } = coinChain;
  const key = readAccountKey(options.accountPublicKey, { keyVersions }, addressNetwork, prefix);
  const finalDepth = Math.max(...confirmations.map(({ needed }) => needed)) + extraDepth;

  const url = checkRpcUrl(options.rpcUrl);
  const rpc = createJsonRpc({ network, url, version: "1.0", credentials: options.credentials });
  const node = createBitcoinNode(network, rpc);
  const watched = { ...coinChain, network, node };
  const pool = createPoolWatch(node, { asset, prefix });
  const scanned = { ...watched, asset, birthHeight, finalDepth, pool, pageMs: answerMs / 2 };

  return {
    network,
    addressNetwork,
    assets: new Map([[asset, { decimals, confirmations }]]),
    publicKey: key.publicKey,
    answerMs,
    maxLagMs: options.maxLagMs ?? defaultLagMs,
    maxBehindBlocks,
    finalDepth,
    health: (signal) => checkHealth(watched, options.network !== "regtest", signal),
    addressAt: (index, requested) => {
      if (requested !== asset) throw new SettlementFailed(`${network} has no ${requested}`);
      return key.depositAddress(index);
    },
    // The scan compares all outputs with the issued addresses, so the node need not know them.
    prepareAddress: async () => {},
    scan: (cursor, own, signal) => scanChain(scanned, cursor, own, signal),
    recheck: (outputs, cursor, signal) => recheckOutputs(watched, outputs, cursor, signal),
    payouts: createBitcoinPayouts({
      ...watched,
      asset,
      dustUnits,
      key,
      payoutNode: createPayoutNode(network, rpc),
      searchMs: answerMs / 2,
    }),
  };
}
