import {
  contracts,
  foreignEvmAddress,
  sharedAnvilChain,
  startAnvilChain,
  type AnvilChain,
} from "#test/anvil-chain.ts";
import { skipWithoutAnvil, startAnvil, type Anvil } from "#test/anvil.ts";
import { openEvm } from "#test/evm-watch.ts";
import { startNodeSwitch, type AnswerChange } from "#test/node-switch.ts";
import type { ChainKind, Payment, TestNetwork } from "./chain-kind.ts";

/** 100 USDC with six decimals. */
const coinDecimals = 8;

let shared: Promise<TestNetwork> | undefined;

/** USDC on a chain of Ethereum's kind. */
export const ethereum: ChainKind = {
  name: "anvil",
  asset: "USDC",
  rate: "1",
  seesPool: false,
  dust: "0.00000001",
  mergesOutputs: false,
  canReplace: true,
  skip: await skipWithoutAnvil(),
  shared: () => (shared ??= sharedAnvilChain().then(networkOf)),
  start: async () => networkOf(await startAnvilChain()),
  open: ({ url, birthHeight, confirmationsNeeded }) =>
    openEvm(url, { birthHeight, confirmations: [{ fromCents: 0, needed: confirmationsNeeded }] }),
};

async function networkOf(chain: AnvilChain): Promise<TestNetwork> {
  const { node } = chain;
  let other: Anvil | undefined;
  /** The height up to which the node says that it synchronizes. */
  let highest = 0;
  const sayThatItIsBehind: AnswerChange = ({ method }, answer) =>
    method === "eth_syncing" && highest > 0 ? { ...answer, result: syncing(highest) } : answer;
  const syncing = (height: number) => ({
    currentBlock: "0x0",
    highestBlock: `0x${height.toString(16)}`,
  });
  const nodeSwitch = await startNodeSwitch(node, sayThatItIsBehind);
  const pay = (...payments: readonly Payment[]): Promise<string> =>
    chain.payTokens(contracts.Usdc, ...payments.map(unitsOf));
  return {
    connect: async (confirmationsNeeded) => ({
      url: nodeSwitch.url,
      credentialsFile: "",
      birthHeight: await chain.height(),
      confirmationsNeeded,
    }),
    foreignAddress: async () => foreignEvmAddress(),
    pay,
    mineUnrelayed: async (...payments) => {
      const id = await pay(...payments);
      await chain.mine();
      return id;
    },
    mine: async (blocks = 1) => {
      await chain.mine(blocks);
      highest = Math.max(0, highest - blocks);
    },
    reorganise: (depth, options) => chain.reorganise(depth, options),
    replace: async (id) => void (await chain.replaceWithHigherFee(id)),
    doubleSpend: (id) => chain.doubleSpend(id),
    // anvil cannot synchronize, so its answer is replaced.
    fallBehind: async (blocks) => void (highest = blocks),
    killNode: () => node.kill(),
    restartNode: () => node.restart(),
    hold: () => nodeSwitch.hold(),
    release: () => nodeSwitch.release(),
    useOtherNode: ({ lacks, mines }) => forgetBlocks(chain, lacks, mines),
    useOtherChain: async () => {
      other = await startAnvil({ chainId: 31_338 });
      nodeSwitch.connect(other);
    },
    useFirstNode: async () => {
      nodeSwitch.connect(node);
      await other?.stop();
      other = undefined;
    },
    stop: async () => {
      await nodeSwitch.stop();
      for (const one of [node, other]) await one?.stop();
    },
  };
}

function unitsOf({ address, coins }: Payment) {
  const [whole = "0", fraction = ""] = coins.split(".");
  return { address, units: BigInt(whole + fraction.padEnd(coinDecimals, "0")) };
}

/**
 * Makes the node one that never had the last blocks, with blocks of its own and the transactions of those. A second
 * anvil cannot load the states of earlier blocks, and callers cannot tell the difference.
 */
async function forgetBlocks(chain: AnvilChain, lacks: number, mines: number): Promise<void> {
  const { node } = chain;
  const transactions = await chain.lastTransactions(lacks);
  await node.rpc("anvil_rollback", [lacks]);
  if (mines === 0) return;
  for (const one of transactions) await node.rpc("eth_sendRawTransaction", [one]);
  // Otherwise a block of the same second is the same block.
  await node.rpc("evm_increaseTime", [60]);
  await node.rpc("anvil_mine", [`0x${mines.toString(16)}`]);
}
