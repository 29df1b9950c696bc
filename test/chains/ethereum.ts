import {
  contracts,
  foreignEvmAddress,
  sharedAnvilChain,
  startAnvilChain,
  type AnvilChain,
  type TokenPayment,
} from "#test/anvil-chain.ts";
import { skipWithoutAnvil, startAnvil, type Anvil } from "#test/anvil.ts";
import { openEvm } from "#test/evm-watch.ts";
import { startNodeSwitch, type SwitchTarget } from "#test/node-switch.ts";
import type { Asset } from "#server/ports/settlement.ts";
import type { ChainKind, Payment, TestNetwork } from "./chain-kind.ts";

const skip = await skipWithoutAnvil();

/** An asset of the chain. A coin of the tests, 100 USD, is 1 followed by so many zeros of its smallest units. */
interface EvmAsset {
  readonly asset: Asset;
  readonly rate: string;
  readonly zeros: number;
  pay(chain: AnvilChain, payments: readonly TokenPayment[]): Promise<string>;
}

/** USDC on a chain of Ethereum's kind. */
export const ethereum = kindOf({ asset: "USDC", rate: "1.00", zeros: 8, pay: payToken("Usdc") });
/** Its contract returns nothing. */
export const tether = kindOf({ asset: "USDT", rate: "1.00", zeros: 8, pay: payToken("Usdt") });
export const ether = kindOf({ asset: "ETH", rate: "100.00", zeros: 18, pay: payEther });

function kindOf(paid: EvmAsset): ChainKind {
  let shared: Promise<TestNetwork> | undefined;
  return {
    name: "anvil",
    asset: paid.asset,
    rate: paid.rate,
    seesPool: false,
    dust: "0.00000001",
    mergesOutputs: false,
    canReplace: true,
    skip,
    shared: () => (shared ??= sharedAnvilChain().then((chain) => networkOf(chain, paid))),
    start: async () => networkOf(await startAnvilChain(), paid),
    open: ({ url, birthHeight, confirmationsNeeded }) =>
      openEvm(url, { birthHeight, confirmations: [{ fromCents: 0, needed: confirmationsNeeded }] }),
  };
}

function payToken(name: "Usdc" | "Usdt"): EvmAsset["pay"] {
  return (chain, payments) => chain.payTokens(contracts[name], ...payments);
}

async function payEther(chain: AnvilChain, payments: readonly TokenPayment[]): Promise<string> {
  const [payment, ...more] = payments;
  if (payment === undefined || more.length > 0) throw new Error("Ether is paid to one address.");
  return chain.send({ to: payment.address, value: payment.units });
}

async function networkOf(chain: AnvilChain, paid: EvmAsset): Promise<TestNetwork> {
  const { node } = chain;
  let other: Anvil | undefined;
  /** The height up to which the node says that it synchronizes. */
  let highest = 0;
  const target: SwitchTarget = {
    url: node.url,
    change: ({ method }, answer) =>
      method === "eth_syncing" && highest > 0 ? { ...answer, result: syncing(highest) } : answer,
  };
  const syncing = (height: number) => ({
    currentBlock: "0x0",
    highestBlock: `0x${height.toString(16)}`,
  });
  const nodeSwitch = await startNodeSwitch(target);
  const pay = (...payments: readonly Payment[]): Promise<string> =>
    paid.pay(
      chain,
      payments.map(({ address, coins }) => ({ address, units: unitsOf(coins, paid.zeros) })),
    );
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
      nodeSwitch.connect(target);
      await other?.stop();
      other = undefined;
    },
    stop: async () => {
      await nodeSwitch.stop();
      for (const one of [node, other]) await one?.stop();
    },
  };
}

function unitsOf(coins: string, zeros: number): bigint {
  const [whole = "0", fraction = ""] = coins.split(".");
  return BigInt(whole + fraction.padEnd(zeros, "0"));
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
