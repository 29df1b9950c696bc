import { skipWithout } from "#test/components.ts";
import { sharedMoneroChain, type MoneroChain } from "#test/monero-chain.ts";
import { openMonero } from "#test/monero-adapter.ts";
import { startMonerod, type Monerod } from "#test/monerod.ts";
import { startNodeSwitch, type NodeAnswer } from "#test/node-switch.ts";
import type { ChainKind, TestNetwork } from "./chain-kind.ts";

let shared: Promise<TestNetwork> | undefined;
const sharedNetwork = () => (shared ??= sharedMoneroChain().then(networkOf));

export const monero: ChainKind = {
  name: "monerod",
  asset: "XMR",
  rate: "100.00",
  seesPool: true,
  dust: "0.000000000001",
  mergesOutputs: true,
  canReplace: false,
  skip: await skipWithout("monero"),
  shared: sharedNetwork,
  // A killed monerod keeps its blocks and its pool, so it can go on serving the others.
  start: async () => ({ ...(await sharedNetwork()), stop: async () => {} }),
  open: ({ url, walletUrl = "", credentialsFile, birthHeight, confirmationsNeeded }) =>
    openMonero(
      { daemonUrl: url, walletRpcUrl: walletUrl, walletLoginFile: credentialsFile },
      { birthHeight, confirmations: [{ fromCents: 0, needed: confirmationsNeeded }] },
    ),
};

async function networkOf(chain: MoneroChain): Promise<TestNetwork> {
  const { daemon, house } = chain;
  const nodeSwitch = await startNodeSwitch(daemon);
  let otherChain: Monerod | undefined;
  let useFirstBranch = async () => {};
  return {
    connect: async (confirmationsNeeded) => ({
      url: nodeSwitch.url,
      walletUrl: house.url,
      credentialsFile: house.loginFile ?? "",
      birthHeight: await chain.tipHeight(),
      confirmationsNeeded,
    }),
    foreignAddress: () => chain.newAddress(),
    pay: (...payments) => chain.pay(payments),
    // Every amount is relayed, and no wallet sends 0.
    mineUnrelayed: async (...payments) => {
      const transactionId = await chain.pay(payments.filter(({ coins }) => Number(coins) > 0));
      await chain.mine();
      return transactionId;
    },
    mine: (blocks) => chain.mine(blocks),
    reorganise: (depth, options) => chain.reorganise(depth, options),
    replace: () => Promise.reject(new Error("Monero has no replacements.")),
    doubleSpend: (transactionId) => chain.doubleSpend(transactionId),
    fallBehind: async (blocks) => {
      const target = (await chain.tipHeight()) + 1 + blocks;
      // Without peers a daemon never learns of blocks that it does not have.
      nodeSwitch.connect({ url: daemon.url, change: (_, answer) => withTarget(answer, target) });
    },
    killNode: () => daemon.kill(),
    restartNode: () => chain.restartDaemon(),
    hold: () => nodeSwitch.hold(),
    release: () => nodeSwitch.release(),
    // A daemon that has removed blocks knows no more of them than one that never had them.
    useOtherNode: async ({ lacks, mines }) => {
      const removed = await chain.removeBlocks(lacks);
      if (mines > 0) await chain.mine(mines);
      else useFirstBranch = () => chain.putBack(removed);
    },
    useOtherChain: async () => {
      otherChain = await startMonerod({ network: ["--stagenet"] });
      nodeSwitch.connect(otherChain);
    },
    useFirstNode: async () => {
      nodeSwitch.connect(daemon);
      await useFirstBranch();
      useFirstBranch = async () => {};
      await otherChain?.stop();
      otherChain = undefined;
    },
    stop: async () => {
      await nodeSwitch.stop();
      await chain.stop();
    },
  };
}

/** Sets the height of the daemon's peers until the daemon has reached it. */
function withTarget(answer: NodeAnswer, target: number): NodeAnswer {
  const result = answer.result as { readonly height?: number } | undefined;
  if (result?.height === undefined || result.height >= target) return answer;
  return { ...answer, result: { ...result, target_height: target } };
}
