import { readFileSync } from "node:fs";
import { HDKey } from "@scure/bip32";
import { addr } from "micro-eth-signer";
import { createContract } from "micro-eth-signer/abi.js";
import { startAnvil, type Anvil, type AnvilOptions } from "./anvil.ts";

/** The account of the well-known seed `abandon … about`, at m/44'/60'/0'. */
export const testEvmAccount = HDKey.fromMasterSeed(
  Buffer.from(
    "5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4",
    "hex",
  ),
).derive("m/44'/60'/0'");

/** An address that the service did not issue. */
export function foreignEvmAddress(): string {
  return addr.random().address;
}

/** The first account of every anvil. It has 10,000 ether and all tokens. */
export const evmPayer = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

/** In the order in which they are deployed. The look-alike has USDC's code. */
const deployed = ["Usdc", "Usdt", "FeeToken", "FalseToken", "LookAlike", "Payer"] as const;
type ContractName = (typeof deployed)[number];

/** The same on every anvil, because they are the payer's first transactions. */
export const contracts = Object.fromEntries(
  deployed.map((name, nonce) => [name, addr.getCreateAddress(evmPayer, nonce)]),
) as Readonly<Record<ContractName, string>>;

const address = { name: "to", type: "address" } as const;
const number = { name: "value", type: "uint256" } as const;
const lists = [
  { name: "to", type: "address[]" },
  { name: "values", type: "uint256[]" },
] as const;
export const abi = createContract([
  { type: "function", name: "transfer", inputs: [address, number], outputs: [] },
  {
    type: "function",
    name: "setBlocked",
    inputs: [address, { name: "isBlocked", type: "bool" }],
    outputs: [],
  },
  {
    type: "function",
    name: "payTokens",
    inputs: [{ name: "token", type: "address" }, ...lists],
    outputs: [],
  },
  { type: "function", name: "payEther", inputs: lists, outputs: [] },
  { type: "function", name: "payAndRevertInside", inputs: [address], outputs: [] },
  { type: "function", name: "destroyInto", inputs: [address], outputs: [] },
] as const);

export interface EvmCall {
  readonly to?: string;
  readonly value?: bigint;
  readonly data?: string | Uint8Array;
  readonly nonce?: number;
  readonly maxFeePerGas?: bigint;
  readonly maxPriorityFeePerGas?: bigint;
}

interface Transaction {
  readonly hash: string;
  readonly nonce: string;
  readonly to: string;
  readonly input: string;
  readonly maxFeePerGas: string;
  readonly blockNumber: string | null;
}

/** Events of a chain of Ethereum's kind, as deposits and payouts meet them. */
export interface AnvilChain {
  readonly node: Anvil;
  height(): Promise<number>;
  /** Sends a transaction of the payer into the pool. */
  send(call: EvmCall): Promise<string>;
  /** Pays tokens, through a contract if there are several payments. */
  payTokens(token: string, ...payments: readonly TokenPayment[]): Promise<string>;
  mine(blocks?: number): Promise<void>;
  /** Replaces the last blocks by one block more. Their transactions return to the pool or are mined again. */
  reorganise(depth: number, options?: { readonly mineAgain: boolean }): Promise<void>;
  replaceWithHigherFee(transactionId: string): Promise<string>;
  /** Mines another transaction with the same nonce, in place of the first. */
  doubleSpend(transactionId: string): Promise<void>;
  /** The signed transactions of the last blocks. */
  lastTransactions(blocks: number): Promise<readonly string[]>;
}

export interface TokenPayment {
  readonly address: string;
  readonly units: bigint;
}

const gas = 3_000_000;
const payerTokens = 10n ** 17n;

export async function startAnvilChain(options?: AnvilOptions): Promise<AnvilChain> {
  const node = await startAnvil(options);
  const chain = chainOf(node);
  for (const name of deployed) {
    const file = name === "LookAlike" ? "Usdc" : name;
    const url = new URL(`contracts/TestTokens_sol_${file}.bin`, import.meta.url);
    await chain.send({ data: `0x${readFileSync(url, "utf8")}` });
  }
  for (const token of [contracts.Usdc, contracts.Usdt, contracts.LookAlike]) {
    const data = abi.transfer.encodeInput({ to: contracts.Payer, value: payerTokens });
    await chain.send({ to: token, data });
  }
  await chain.mine();
  return chain;
}

let shared: Promise<AnvilChain> | undefined;

/** One chain for all tests of a file. It ends with the file's process. */
export async function sharedAnvilChain(): Promise<AnvilChain> {
  return (shared ??= startAnvilChain());
}

function chainOf(node: Anvil): AnvilChain {
  const height = async (): Promise<number> => Number(await node.rpc<string>("eth_blockNumber"));
  const transaction = (id: string): Promise<Transaction> =>
    node.rpc("eth_getTransactionByHash", [id]);
  const rawOf = (id: string): Promise<string> => node.rpc("eth_getRawTransactionByHash", [id]);
  const send = (call: EvmCall): Promise<string> =>
    node.rpc("eth_sendTransaction", [requestOf(call)]);
  const mine = async (blocks = 1): Promise<void> => {
    await node.rpc("anvil_mine", [hex(blocks)]);
  };
  /** The ids of the last blocks' transactions. */
  const idsOf = async (blocks: number): Promise<readonly string[]> => {
    const tip = await height();
    const ids: string[] = [];
    for (let at = tip - blocks + 1; at <= tip; at += 1) {
      const block = await node.rpc<{ transactions: string[] }>("eth_getBlockByNumber", [
        hex(at),
        false,
      ]);
      ids.push(...block.transactions);
    }
    return ids;
  };
  const lastTransactions = async (blocks: number): Promise<readonly string[]> => {
    const raw: string[] = [];
    for (const id of await idsOf(blocks)) raw.push(await rawOf(id));
    return raw;
  };
  return {
    node,
    height,
    send,
    mine,
    lastTransactions,
    payTokens: (token, ...payments) => {
      const [first, ...more] = payments;
      if (first === undefined) throw new Error("There is no payment.");
      if (more.length === 0) {
        const data = abi.transfer.encodeInput({ to: first.address, value: first.units });
        return send({ to: token, data });
      }
      const to = payments.map((payment) => payment.address);
      const values = payments.map(({ units }) => units);
      return send({ to: contracts.Payer, data: abi.payTokens.encodeInput({ token, to, values }) });
    },
    reorganise: async (depth, { mineAgain } = { mineAgain: false }) => {
      const raw = await lastTransactions(depth);
      await node.rpc("anvil_reorg", [depth, mineAgain ? raw.map((one) => [one, 0]) : []]);
      await mine();
      if (mineAgain) return;
      for (const one of raw) await node.rpc("eth_sendRawTransaction", [one]);
    },
    replaceWithHigherFee: async (transactionId) => {
      const { nonce, to, input, maxFeePerGas } = await transaction(transactionId);
      const fee = BigInt(maxFeePerGas) * 2n;
      const fees = { maxFeePerGas: fee, maxPriorityFeePerGas: fee };
      return send({ to, data: input, nonce: Number(nonce), ...fees });
    },
    doubleSpend: async (transactionId) => {
      const { nonce, blockNumber } = await transaction(transactionId);
      const depth = (await height()) - Number(blockNumber) + 1;
      const call = { to: evmPayer, nonce: Number(nonce), maxFeePerGas: 10n ** 11n };
      const request = { ...requestOf(call), maxPriorityFeePerGas: hex(10n ** 9n) };
      const other = await node.rpc<string>("eth_signTransaction", [request]);
      const raw: [string, number][] = [];
      for (const id of await idsOf(depth)) {
        raw.push([id === transactionId ? other : await rawOf(id), 0]);
      }
      await node.rpc("anvil_reorg", [depth, raw]);
      await mine();
    },
  };
}

function requestOf({ value = 0n, data = "0x", ...call }: EvmCall): Record<string, unknown> {
  const { nonce, maxFeePerGas, maxPriorityFeePerGas } = call;
  return {
    from: evmPayer,
    gas: hex(gas),
    value: hex(value),
    data: typeof data === "string" ? data : `0x${Buffer.from(data).toString("hex")}`,
    ...(call.to !== undefined && { to: call.to }),
    ...(nonce !== undefined && { nonce: hex(nonce) }),
    ...(maxFeePerGas !== undefined && { maxFeePerGas: hex(maxFeePerGas) }),
    ...(maxPriorityFeePerGas !== undefined && {
      maxPriorityFeePerGas: hex(maxPriorityFeePerGas),
    }),
  };
}

function hex(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}
