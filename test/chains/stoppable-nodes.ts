import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { contracts, sharedAnvilChain, testEvmAccount } from "#test/anvil-chain.ts";
import { temporaryFolder } from "#test/daemon.ts";
import { findFreePort } from "#test/free-port.ts";
import { sharedLitecoinChain } from "#test/litecoin-chain.ts";
import { testAccountKey } from "#test/litecoin-watch.ts";
import { sharedMoneroChain } from "#test/monero-chain.ts";
import { houseKeys } from "#test/monero-keys.ts";
import { startNodeSwitch } from "#test/node-switch.ts";
import { bitcoinRegtest, scriptOf, startScriptedBitcoind } from "#test/scripted-bitcoind.ts";
import type { Asset } from "#server/ports/settlement.ts";

/** One node of the service's settlement file. */
export interface StoppableNode {
  readonly network: string;
  /** What one payment of each asset is worth. */
  readonly cents: ReadonlyMap<Asset, number>;
  /** The node's entry in the settlement file. */
  readonly entry: object;
  /** Pays an address and mines a block. */
  pay(addressOf: (asset: Asset) => string): Promise<void>;
  mine(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

const rates = { BTC: "100000", LTC: "100", XMR: "200", ETH: "2000", USDC: "1", USDT: "1" };
const confirmations = [{ fromUsd: 0, needed: 2 }];

/** All nodes that the six assets need. */
export function startNodes(t: TestContext): Promise<readonly StoppableNode[]> {
  return Promise.all([startBitcoin(t), startLitecoin(), startMonero(), startEthereum()]);
}

/** Writes one settlement file with all chains, and returns its path. */
export function settlementFileOf(nodes: readonly StoppableNode[]): string {
  const file = join(temporaryFolder(), "settlement.json");
  const chains = nodes.map(({ entry }) => entry);
  writeFileSync(file, JSON.stringify({ chains, rates: { source: "fixed", usd: rates } }));
  return file;
}

/** No bitcoind runs here, so a script answers in its place. */
async function startBitcoin(t: TestContext): Promise<StoppableNode> {
  const birthHeight = 100;
  const node = await startScriptedBitcoind(birthHeight, bitcoinRegtest);
  t.after(() => node.stop());
  const nodeSwitch = await startNodeSwitch(node);
  const nowhere = { url: `http://127.0.0.1:${await findFreePort()}` };
  const rpcCookieFile = secretFile("cookie", "__cookie__:0123456789abcdef");
  let payments = 0;
  return {
    network: "bitcoin-regtest",
    cents: new Map([["BTC", 1_000]]),
    entry: {
      ...{ kind: "bitcoin", network: "regtest", rpcUrl: nodeSwitch.url, rpcCookieFile },
      ...{ accountPublicKey: testAccountKey, birthHeight, confirmations },
    },
    pay: async (addressOf) => {
      payments += 1;
      const txid = payments.toString(16).padStart(64, "0");
      node.mine({ txid, outputs: [{ script: scriptOf(addressOf("BTC")), coins: 0.0001 }] });
    },
    mine: async () => node.mine(),
    stop: async () => nodeSwitch.connect(nowhere),
    start: async () => nodeSwitch.connect(node),
  };
}

async function startLitecoin(): Promise<StoppableNode> {
  const chain = await sharedLitecoinChain();
  const { node } = chain;
  const mine = async () => void (await chain.mine());
  return {
    network: "litecoin-regtest",
    cents: new Map([["LTC", 2_000]]),
    entry: {
      ...{ kind: "litecoin", network: "regtest", rpcUrl: node.url, rpcCookieFile: node.cookieFile },
      ...{ accountPublicKey: testAccountKey, confirmations },
      birthHeight: await node.rpc("getblockcount"),
    },
    pay: async (addressOf) => {
      await chain.pay(addressOf("LTC"), "0.2");
      await mine();
    },
    mine,
    stop: () => node.kill({ keepBlocks: true }),
    start: () => node.restart(),
  };
}

async function startMonero(): Promise<StoppableNode> {
  const chain = await sharedMoneroChain();
  const { daemon, house } = chain;
  return {
    network: "monero-regtest",
    cents: new Map([["XMR", 3_000]]),
    entry: {
      ...{ kind: "monero", network: "regtest", address: houseKeys.address, confirmations },
      viewKeyFile: secretFile("view-key", houseKeys.viewKey),
      ...{ daemonUrl: daemon.url, walletRpcUrl: house.url, walletLoginFile: house.loginFile },
      birthHeight: await chain.tipHeight(),
    },
    pay: async (addressOf) => {
      await chain.pay([{ address: addressOf("XMR"), coins: "0.15" }]);
      await chain.mine();
    },
    mine: () => chain.mine(),
    stop: () => daemon.kill(),
    start: () => chain.restartDaemon(),
  };
}

async function startEthereum(): Promise<StoppableNode> {
  const chain = await sharedAnvilChain();
  const { node } = chain;
  const { Usdc, Usdt } = contracts;
  return {
    network: "ethereum-31337",
    cents: new Map<Asset, number>([
      ["ETH", 4_000],
      ["USDC", 5_000],
      ["USDT", 6_000],
    ]),
    entry: {
      ...{ kind: "ethereum", chainId: 31_337, rpcUrl: node.url, confirmations },
      accountPublicKey: testEvmAccount.publicExtendedKey,
      birthHeight: await chain.height(),
      tokens: [
        { asset: "USDC", contract: Usdc },
        { asset: "USDT", contract: Usdt },
      ],
    },
    pay: async (addressOf) => {
      await chain.send({ to: addressOf("ETH"), value: 2n * 10n ** 16n });
      await chain.payTokens(Usdc, { address: addressOf("USDC"), units: 50_000_000n });
      await chain.payTokens(Usdt, { address: addressOf("USDT"), units: 60_000_000n });
      await chain.mine();
    },
    mine: () => chain.mine(),
    stop: () => node.kill(),
    start: () => node.restart(),
  };
}

function secretFile(name: string, text: string): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}
