import { readFile } from "node:fs/promises";
import { skipWithout } from "#test/components.ts";
import {
  startLitecoinChain,
  sharedLitecoinChain,
  type LitecoinChain,
} from "#test/litecoin-chain.ts";
import { openLitecoin } from "#test/litecoin-watch.ts";
import { startLitecoind, type Litecoind } from "#test/litecoind.ts";
import { startNodeSwitch, type NodeSwitch, type SwitchTarget } from "#test/node-switch.ts";
import type { ChainKind, Payment, TestNetwork } from "./chain-kind.ts";

const testnetLogin = { user: "testnet", password: "testnet" };
const miner = "miner";
const fee = 0.001;

let shared: Promise<TestNetwork> | undefined;

export const litecoin: ChainKind = {
  name: "litecoind",
  asset: "LTC",
  rate: "100.00",
  seesPool: true,
  dust: "0.00000001",
  mergesOutputs: false,
  canReplace: true,
  skip: await skipWithout("litecoind"),
  shared: () => (shared ??= sharedLitecoinChain().then(networkOf)),
  start: async () => networkOf(await startLitecoinChain()),
  open: ({ url, credentialsFile, birthHeight, confirmationsNeeded }) =>
    openLitecoin(
      { url, cookieFile: credentialsFile },
      { birthHeight, confirmations: [{ fromCents: 0, needed: confirmationsNeeded }] },
    ),
};

async function networkOf(chain: LitecoinChain): Promise<TestNetwork> {
  const { node } = chain;
  const nodeSwitch = await startNodeSwitch(targetOf(node));
  let other: Litecoind | undefined;
  const replaceNode = async (start: () => Promise<Litecoind>, login?: SwitchTarget["login"]) => {
    await other?.stop();
    other = await start();
    nodeSwitch.connect(targetOf(other, login));
  };
  return {
    connect: async (confirmationsNeeded) => ({
      url: nodeSwitch.url,
      credentialsFile: node.cookieFile,
      birthHeight: await node.rpc("getblockcount"),
      confirmationsNeeded,
    }),
    foreignAddress: () => chain.newAddress(),
    pay: async (...payments) => (await chain.payMany(payments)).transactionId,
    mineUnrelayed: (...payments) => mineUnrelayed(chain, payments),
    mine: async (blocks) => void (await chain.mine(blocks)),
    reorganise: async (depth, options) => void (await chain.reorganise(depth, options)),
    replace: async (transactionId) => void (await chain.replaceWithHigherFee(transactionId)),
    doubleSpend: async (transactionId) => void (await chain.doubleSpend(transactionId)),
    fallBehind: (blocks) => chain.behind(blocks),
    killNode: () => node.kill({ keepBlocks: true }),
    restartNode: () => node.restart(),
    hold: () => nodeSwitch.hold(),
    release: () => nodeSwitch.release(),
    useOtherNode: ({ lacks, mines }) => replaceNode(() => startFork(chain, lacks, mines)),
    useOtherChain: () =>
      replaceNode(startTestnetNode, async () => Object.values(testnetLogin).join(":")),
    useFirstNode: async () => {
      nodeSwitch.connect(targetOf(node));
      await other?.stop();
      other = undefined;
    },
    stop: () => stopAll(nodeSwitch, [node, other]),
  };
}

function targetOf(
  { url, cookieFile }: Litecoind,
  login = () => readFile(cookieFile, "utf8"),
): SwitchTarget {
  return { url, login };
}

async function stopAll(
  nodeSwitch: NodeSwitch,
  nodes: readonly (Litecoind | undefined)[],
): Promise<void> {
  await nodeSwitch.stop();
  for (const node of nodes) await node?.stop();
}

/** Nodes neither relay dust nor take it into their pool, but a miner can include it. */
async function mineUnrelayed(chain: LitecoinChain, payments: readonly Payment[]): Promise<string> {
  const { node } = chain;
  const wallet = <T>(method: string, ...parameters: unknown[]) =>
    node.walletRpc<T>(miner, method, parameters);
  const [input] = await wallet<{ txid: string; vout: number; amount: number }[]>("listunspent");
  if (input === undefined) throw new Error("The miner has no coins.");
  const paid = payments.reduce((sum, { coins }) => sum + Number(coins), 0);
  const change = { [await chain.newAddress()]: (input.amount - paid - fee).toFixed(8) };
  const outputs = [...payments.map(({ address, coins }) => ({ [address]: coins })), change];
  const raw = await node.rpc("createrawtransaction", [[input], outputs]);
  const { hex } = await wallet<{ hex: string }>("signrawtransactionwithwallet", raw);
  const { txid } = await node.rpc<{ txid: string }>("decoderawtransaction", [hex]);
  await node.rpc("generateblock", [await chain.newAddress(), [hex]]);
  return txid;
}

/** A node with all but the last blocks, and blocks of its own with the transactions of those. */
async function startFork(chain: LitecoinChain, lacks: number, mines: number): Promise<Litecoind> {
  const { node } = chain;
  const fork = await startLitecoind();
  const height = await node.rpc<number>("getblockcount");
  for (let at = 1; at <= height - lacks; at += 1) {
    const hash = await node.rpc("getblockhash", [at]);
    await fork.rpc("submitblock", [await node.rpc("getblock", [hash, 0])]);
  }
  if (mines === 0) return fork;
  for (let at = height - lacks + 1; at <= height; at += 1) {
    const hash = await node.rpc("getblockhash", [at]);
    const { tx } = await node.rpc<{ tx: { hex: string }[] }>("getblock", [hash, 2]);
    // The first one is the block's reward.
    for (const { hex } of tx.slice(1)) await fork.rpc("sendrawtransaction", [hex]);
  }
  await fork.rpc("generatetoaddress", [mines, await chain.newAddress()]);
  return fork;
}

function startTestnetNode(): Promise<Litecoind> {
  return startLitecoind({
    credentials: testnetLogin,
    arguments: ["-regtest=0", "-testnet=1", "-connect=0"],
  });
}
