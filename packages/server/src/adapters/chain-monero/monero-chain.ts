import { SettlementFailed, type Chain, type ConfirmationTier } from "#ports/settlement.ts";
import { readViewKeys } from "./account-key.ts";
import { checkHealth } from "./check-chain.ts";
import { createMoneroDaemon } from "./monero-daemon.ts";
import { createMoneroPayouts } from "./monero-payouts.ts";
import { networks, type MoneroNetwork } from "./networks.ts";
import { createPayoutWallet } from "./payout-wallet.ts";
import { recheckOutputs } from "./recheck-outputs.ts";
import { createMoneroRpc } from "./rpc.ts";
import { scanChain } from "./scan-chain.ts";
import { createViewWallet } from "./view-wallet.ts";

export interface MoneroChainOptions {
  readonly network: MoneroNetwork;
  readonly daemonUrl: string;
  /** A monero-wallet-rpc with a wallet folder, for this service alone. It must use the same daemon. */
  readonly walletRpcUrl: string;
  /** Holds `user:password`. Undefined when the wallet has no login. */
  readonly walletLoginFile?: string | undefined;
  /** The primary address of the wallet. */
  readonly address: string;
  /** The secret view key. It finds payments and cannot spend. */
  readonly viewKey: string;
  /** The first block that can contain a deposit. */
  readonly birthHeight: number;
  readonly confirmations: readonly ConfirmationTier[];
  readonly answerMs?: number;
  /** Addresses are refused when the last scan is older. */
  readonly maxLagMs?: number;
}

const decimals = 12;
/** A wallet that creates its file or scans a block answers nothing meanwhile. */
const defaultAnswerMs = 20_000;
const defaultLagMs = 15 * 60_000;
/** A block that has just arrived takes a moment to scan. */
const maxBehindBlocks = 2;
/** Reorganizations of this many blocks more than needed are still noticed. */
const extraDepth = 100;

/** Monero through a daemon and a view-only wallet. */
export function createMoneroChain(options: MoneroChainOptions): Chain {
  const { birthHeight, confirmations, answerMs = defaultAnswerMs } = options;
  const terms = networks[options.network];
  const isMain = options.network === "mainnet";
  const network = isMain ? "monero" : `monero-${options.network}`;
  const keys = readViewKeys(options.address, options.viewKey, options.network);
  const finalDepth = Math.max(...confirmations.map(({ needed }) => needed)) + extraDepth;

  const [daemonName, name] = [`The daemon of ${network}`, `The wallet of ${network}`];
  const daemonUrl = checkUrl(options.daemonUrl, "daemonUrl");
  const walletUrl = checkUrl(options.walletRpcUrl, "walletRpcUrl");
  const daemonRpc = createMoneroRpc({ name: daemonName, url: daemonUrl });
  const daemon = createMoneroDaemon(daemonName, daemonRpc);
  const rpc = createMoneroRpc({ name, url: walletUrl, loginFile: options.walletLoginFile });
  const wallet = createViewWallet({ name, rpc, keys, birthHeight });
  const watched = { network, terms, daemon, wallet, birthHeight, finalDepth };

  return {
    network,
    addressNetwork: terms.addressNetwork,
    assets: new Map([["XMR", { decimals, confirmations }]]),
    publicKey: keys.address,
    answerMs,
    maxLagMs: options.maxLagMs ?? defaultLagMs,
    maxBehindBlocks,
    finalDepth,
    payouts: createMoneroPayouts({
      ...watched,
      keys,
      moneroNetwork: options.network,
      payoutWallet: createPayoutWallet(name, rpc),
    }),
    health: (signal) => checkHealth(watched, options.network !== "regtest", signal),
    addressAt: (index, asset) => {
      if (asset !== "XMR") throw new SettlementFailed(`${network} has no ${asset}`);
      return keys.subaddress(minorOf(index));
    },
    prepareAddress: async (index, signal) => {
      await wallet.open(signal);
      await wallet.prepare(minorOf(index), signal);
    },
    scan: (cursor, own, signal) => scanChain(watched, cursor, own, signal),
    recheck: (outputs, cursor, signal) => recheckOutputs(watched, outputs, cursor, signal),
  };
}

/** The primary address receives the change of payouts, so no customer gets it. */
function minorOf(index: number): number {
  return index + 1;
}

/** Refuses credentials in the address without quoting it, because addresses end up in logs. */
function checkUrl(text: string, field: string): string {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw new Error(`${field} must be an http or https address.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new Error(`${field} must not contain credentials. Put them in a file.`);
  }
  return url.href;
}
