import { SettlementFailed, SettlementUnavailable, type ChainCursor } from "#ports/settlement.ts";
import { answerReader, type BitcoinAnswerReader } from "./answers.ts";
import { resultOf, RpcRefusal, type JsonRpc, type RpcAnswer } from "../json-rpc.ts";
import { readTransaction, type Transaction } from "./transactions.ts";

export interface ChainState {
  readonly chain: string;
  readonly genesisHash: string;
  readonly tip: ChainCursor;
  /** The height of the best header, which the node may not have verified yet. */
  readonly headers: number;
  readonly isFirstDownload: boolean;
}

export interface BlockHeader extends ChainCursor {
  /** -1 when the block is not part of the node's active chain. */
  readonly confirmations: number;
  readonly previousHash: string | undefined;
}

export interface Block extends BlockHeader {
  readonly transactions: readonly Transaction[];
}

/** The node calls that the adapter uses. None of them needs a wallet or a transaction index. */
export interface BitcoinNode {
  chainState(signal: AbortSignal): Promise<ChainState>;
  peers(signal: AbortSignal): Promise<{ readonly version: string; readonly peers: number }>;
  /** Hashes of the active chain, from a height on. Fewer when the chain ends before. */
  blockHashes(from: number, count: number, signal: AbortSignal): Promise<readonly string[]>;
  /** Undefined for hashes that the node does not know. */
  headers(
    hashes: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, BlockHeader | undefined>>;
  block(at: ChainCursor, signal: AbortSignal): Promise<Block>;
  /** The ids of all transactions in the node's pool. */
  pool(signal: AbortSignal): Promise<readonly string[]>;
  /** Leaves out transactions that are no longer in the pool. */
  poolTransactions(ids: readonly string[], signal: AbortSignal): Promise<readonly Transaction[]>;
  poolContains(ids: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** False while the node restores its pool after a start. */
  isPoolLoaded(signal: AbortSignal): Promise<boolean>;
}

/** Bitcoin Core's codes. */
const notFound = -5;
const outOfRange = -8;
const blockError = -1;
const batchSize = 100;

export function createBitcoinNode(network: string, rpc: JsonRpc): BitcoinNode {
  const reader = (method: string) => answerReader(network, method);

  /** One call for each value, in batches. */
  const callEach = async <T>(
    method: string,
    values: readonly T[],
    signal: AbortSignal,
    options: readonly unknown[] = [],
  ): Promise<ReadonlyMap<T, RpcAnswer>> => {
    const answers = new Map<T, RpcAnswer>();
    for (let start = 0; start < values.length; start += batchSize) {
      const part = values.slice(start, start + batchSize);
      const calls = part.map((value) => ({ method, params: [value, ...options] }));
      const found = await rpc.batch(calls, signal);
      for (const [index, answer] of found.entries()) answers.set(part[index] as T, answer);
    }
    return answers;
  };

  return {
    chainState: async (signal) => {
      const method = "getblockchaininfo";
      const [info, genesis] = await rpc.batch(
        [
          { method, params: [] },
          { method: "getblockhash", params: [0] },
        ],
        signal,
      );
      const read = reader(method);
      const fields = read.fields(resultOf(info));
      return {
        chain: read.text(fields["chain"], "chain"),
        genesisHash: reader("getblockhash").hash(resultOf(genesis), "hash"),
        tip: {
          height: read.integer(fields["blocks"], "blocks"),
          hash: read.hash(fields["bestblockhash"], "bestblockhash"),
        },
        headers: read.integer(fields["headers"], "headers"),
        isFirstDownload: fields["initialblockdownload"] === true,
      };
    },

    peers: async (signal) => {
      const method = "getnetworkinfo";
      const read = reader(method);
      const fields = read.fields(await rpc.call(method, [], signal));
      return {
        version: read.text(fields["subversion"], "subversion").replaceAll("/", ""),
        peers: read.integer(fields["connections"], "connections"),
      };
    },

    blockHashes: async (from, count, signal) => {
      const heights = Array.from({ length: Math.max(0, count) }, (_, index) => from + index);
      const answers = await callEach("getblockhash", heights, signal);
      return heights.flatMap((height) => {
        const result = resultUnless(outOfRange, answers.get(height));
        return result === undefined ? [] : [reader("getblockhash").hash(result, "hash")];
      });
    },

    headers: async (hashes, signal) => {
      const answers = await callEach("getblockheader", hashes, signal);
      const headers = new Map<string, BlockHeader | undefined>();
      for (const [hash, answer] of answers) {
        const result = resultUnless(notFound, answer);
        const header =
          result === undefined ? undefined : readHeader(reader("getblockheader"), result);
        headers.set(hash, header);
      }
      return headers;
    },

    block: async ({ height, hash }, signal) => {
      let answer: unknown;
      try {
        answer = await rpc.call("getblock", [hash, 2], signal);
      } catch (error) {
        throw explainMissingBlock(network, height, error);
      }
      const read = reader("getblock");
      const { tx } = read.fields(answer);
      return {
        ...readHeader(read, answer),
        transactions: read.list(tx, "tx").map((transaction) => readTransaction(read, transaction)),
      };
    },

    pool: async (signal) => {
      const read = reader("getrawmempool");
      const ids = read.list(await rpc.call("getrawmempool", [], signal), "list");
      return ids.map((id) => read.hash(id, "txid"));
    },

    poolTransactions: async (ids, signal) => {
      const answers = await callEach("getrawtransaction", ids, signal, [true]);
      const read = reader("getrawtransaction");
      return [...answers.values()].flatMap((answer) => {
        const result = resultUnless(notFound, answer);
        // A node with a transaction index also returns those that were mined in the meantime.
        if (result === undefined || "blockhash" in read.fields(result)) return [];
        return [readTransaction(read, result)];
      });
    },

    poolContains: async (ids, signal) => {
      const answers = await callEach("getmempoolentry", ids, signal);
      const present = [...answers].filter(
        ([, answer]) => resultUnless(notFound, answer) !== undefined,
      );
      return new Set(present.map(([id]) => id));
    },

    isPoolLoaded: async (signal) => {
      const method = "getmempoolinfo";
      return reader(method).fields(await rpc.call(method, [], signal))["loaded"] !== false;
    },
  };
}

function readHeader(read: BitcoinAnswerReader, answer: unknown): BlockHeader {
  const fields = read.fields(answer);
  const previous = fields["previousblockhash"];
  return {
    hash: read.hash(fields["hash"], "hash"),
    height: read.integer(fields["height"], "height"),
    confirmations: read.integer(fields["confirmations"], "confirmations"),
    // Only the first block has none.
    previousHash: previous === undefined ? undefined : read.hash(previous, "previousblockhash"),
  };
}

/** Undefined when the node answered with this error. */
function resultUnless(code: number, answer: RpcAnswer | undefined): unknown {
  if (answer !== undefined && "error" in answer && answer.error.code === code) return undefined;
  return resultOf(answer);
}

function explainMissingBlock(network: string, height: number, error: unknown): unknown {
  if (!(error instanceof RpcRefusal) || error.code !== blockError) return error;
  return error.message.includes("pruned")
    ? new SettlementFailed(
        `${network} has pruned block ${height}. Use a node that keeps all blocks from the birth height on.`,
        { cause: error },
      )
    : new SettlementUnavailable(`${network} does not have block ${height} yet`, { cause: error });
}
