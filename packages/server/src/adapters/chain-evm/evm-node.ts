import type { ChainCursor } from "#ports/settlement.ts";
import { resultOf, RpcRefusal, type JsonRpc, type RpcAnswer, type RpcCall } from "../json-rpc.ts";
import { answerReader, hexOf, type EvmAnswerReader } from "./answers.ts";
import { transferTopic, type Log } from "./erc20.ts";

export interface EvmBlock extends ChainCursor {
  readonly parentHash: string;
  readonly transactions: readonly EvmTransaction[];
}

export interface EvmTransaction {
  readonly id: string;
  readonly from: string;
  readonly nonce: number;
  /** Undefined when it creates a contract. */
  readonly to: string | undefined;
  readonly amountUnits: bigint;
  /** Undefined in the pool. */
  readonly blockHash: string | undefined;
}

export interface Receipt {
  readonly block: ChainCursor;
  readonly isSuccess: boolean;
  readonly logs: readonly Log[];
  readonly feeUnits: bigint;
}

/** How much the native balance of each address rises in each transaction, by transaction id. */
export type BalanceChanges = ReadonlyMap<string, ReadonlyMap<string, bigint>>;

/** The node calls that the adapter uses to watch deposits. None of them needs an account on the node. */
export interface EvmNode {
  /** Reads several calls in one request. Refusals are answers. */
  ask(calls: readonly RpcCall[], signal: AbortSignal): Promise<readonly RpcAnswer[]>;
  read(method: string): EvmAnswerReader;
  /** Leaves out heights above the tip. */
  blockHashes(
    heights: readonly number[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, string>>;
  /** Blocks with their transactions. Fewer when the chain ends before. */
  blocks(from: number, count: number, signal: AbortSignal): Promise<readonly EvmBlock[]>;
  /** Transfers of the tokens, and the changes of balances. These are undefined when the node does not trace. */
  effects(
    block: EvmBlock,
    contracts: readonly string[],
    signal: AbortSignal,
  ): Promise<{ readonly logs: readonly Log[]; readonly changes: BalanceChanges | undefined }>;
  /** Leaves out transactions that are in no block. */
  receipts(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Receipt>>;
  /** Leaves out transactions that the node does not know. */
  transactions(
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, EvmTransaction>>;
}

const batchSize = 100;

export function createEvmNode(network: string, rpc: JsonRpc): EvmNode {
  const read = (method: string) => answerReader(network, method);

  /** One call for each value, in batches. Leaves out values for which the node answers null. */
  const callEach = async <T>(
    method: string,
    values: readonly T[],
    paramsOf: (value: T) => readonly unknown[],
    signal: AbortSignal,
  ): Promise<readonly (readonly [T, unknown])[]> => {
    const found: [T, unknown][] = [];
    for (let start = 0; start < values.length; start += batchSize) {
      const part = values.slice(start, start + batchSize);
      const calls = part.map((value) => ({ method, params: paramsOf(value) }));
      for (const [index, answer] of (await rpc.batch(calls, signal)).entries()) {
        const result = resultOf(answer);
        if (result !== null) found.push([part[index] as T, result]);
      }
    }
    return found;
  };

  return {
    ask: (calls, signal) => rpc.batch(calls, signal),
    read,

    blockHashes: async (heights, signal) => {
      const method = "eth_getBlockByNumber";
      const found = await callEach(method, heights, (height) => [hexOf(height), false], signal);
      return new Map(
        found.map(([height, block]) => [
          height,
          read(method).hash(read(method).fields(block)["hash"], "hash"),
        ]),
      );
    },

    blocks: async (from, count, signal) => {
      const method = "eth_getBlockByNumber";
      const heights = Array.from({ length: Math.max(0, count) }, (_, index) => from + index);
      const found = await callEach(method, heights, (height) => [hexOf(height), true], signal);
      return found.map(([, block]) => readBlock(read(method), block));
    },

    effects: async (block, contracts, signal) => {
      const filter = { blockHash: block.hash, address: contracts, topics: [transferTopic] };
      const trace: RpcCall = {
        method: "debug_traceBlockByHash",
        params: [block.hash, { tracer: "prestateTracer", tracerConfig }],
      };
      const calls: RpcCall[] = [trace];
      if (contracts.length > 0) calls.push({ method: "eth_getLogs", params: [filter] });
      const [traces, logs] = await rpc.batch(calls, signal);
      const reader = read("eth_getLogs");
      return {
        changes: readTraces(read(trace.method), traces, block),
        logs:
          logs === undefined
            ? []
            : reader.list(resultOf(logs), "list").map((log) => readLog(reader, log)),
      };
    },

    receipts: async (ids, signal) => {
      const method = "eth_getTransactionReceipt";
      const found = await callEach(method, ids, (id) => [id], signal);
      return new Map(found.map(([id, receipt]) => [id, readReceipt(read(method), receipt)]));
    },

    transactions: async (ids, signal) => {
      const method = "eth_getTransactionByHash";
      const found = await callEach(method, ids, (id) => [id], signal);
      return new Map(found.map(([id, one]) => [id, readTransaction(read(method), one)]));
    },
  };
}

/** Nodes that do not know the last two send code and storage too. */
const tracerConfig = { diffMode: true, disableCode: true, disableStorage: true };

function readBlock(read: EvmAnswerReader, answer: unknown): EvmBlock {
  const { number, hash, parentHash, transactions } = read.fields(answer);
  return {
    height: read.number(number, "number"),
    hash: read.hash(hash, "hash"),
    parentHash: read.hash(parentHash, "parentHash"),
    transactions: read.list(transactions, "transactions").map((one) => readTransaction(read, one)),
  };
}

function readTransaction(read: EvmAnswerReader, answer: unknown): EvmTransaction {
  const { hash, from, nonce, to, value, blockHash } = read.fields(answer);
  return {
    id: read.hash(hash, "transaction hash"),
    from: read.address(from, "sender"),
    nonce: read.number(nonce, "nonce"),
    to: isAbsent(to) ? undefined : read.address(to, "recipient"),
    amountUnits: read.quantity(value, "value"),
    blockHash: isAbsent(blockHash) ? undefined : read.hash(blockHash, "blockHash"),
  };
}

function readLog(read: EvmAnswerReader, answer: unknown): Log {
  const { address, topics, data, logIndex, transactionHash } = read.fields(answer);
  return {
    contract: read.address(address, "log address"),
    topics: read.list(topics, "topics").map((topic) => read.hash(topic, "topic")),
    data: read.bytes(data, "data"),
    indexInBlock: read.number(logIndex, "logIndex"),
    transactionId: read.hash(transactionHash, "transactionHash"),
  };
}

function readReceipt(read: EvmAnswerReader, answer: unknown): Receipt {
  const { blockHash, blockNumber, status, logs, gasUsed, effectiveGasPrice } = read.fields(answer);
  return {
    block: {
      height: read.number(blockNumber, "blockNumber"),
      hash: read.hash(blockHash, "blockHash"),
    },
    isSuccess: read.number(status, "status") === 1,
    logs: read.list(logs, "logs").map((log) => readLog(read, log)),
    feeUnits:
      read.quantity(gasUsed, "gasUsed") * read.quantity(effectiveGasPrice, "effectiveGasPrice"),
  };
}

/** Undefined when the node refuses, because it does not trace at all or no longer has the block's state. */
function readTraces(
  read: EvmAnswerReader,
  answer: RpcAnswer | undefined,
  { transactions }: EvmBlock,
): BalanceChanges | undefined {
  if (answer !== undefined && "error" in answer && answer.error instanceof RpcRefusal) {
    return undefined;
  }
  const traces = read.list(resultOf(answer), "list");
  if (traces.length !== transactions.length) return undefined;
  return new Map(
    transactions.map(({ id }, index) => [id, readChanges(read, read.fields(traces[index]))]),
  );
}

function readChanges(
  read: EvmAnswerReader,
  { result }: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, bigint> {
  const { pre, post } = read.fields(result);
  const before = read.fields(pre);
  const rises = new Map<string, bigint>();
  for (const [address, state] of Object.entries(read.fields(post))) {
    const { balance } = read.fields(state);
    if (balance === undefined) continue;
    // Accounts that the transaction creates are not in the state before it.
    const { balance: old = "0x0" } = read.fields(before[address] ?? {});
    const rise = read.quantity(balance, "balance") - read.quantity(old, "balance");
    if (rise > 0n) rises.set(read.address(address, "address"), rise);
  }
  return rises;
}

function isAbsent(value: unknown): boolean {
  return value === null || value === undefined;
}
