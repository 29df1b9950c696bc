import { hex } from "@scure/base";
import { SettlementFailed, SettlementUnavailable, type ChainCursor } from "#ports/settlement.ts";
import { answerReader, type AnswerReader, type Fields } from "./answers.ts";
import type { MoneroRpc } from "./rpc.ts";

export interface DaemonInfo {
  readonly nettype: string;
  readonly tip: ChainCursor;
  /** The height that its peers have, when it is behind them. */
  readonly targetHeight: number;
  readonly isSynchronized: boolean;
  readonly peers: number;
  /** A restricted RPC does not tell how many peers there are. */
  readonly isRestricted: boolean;
  readonly version: string;
  /** In seconds, as the network agrees on it. */
  readonly time: number;
}

export interface DaemonTransaction {
  readonly id: string;
  /** Undefined while it is in the pool. */
  readonly height: number | undefined;
  /** A height below 500,000,000, else a time in seconds. 0: not locked. */
  readonly unlockTime: bigint;
}

/** The calls of monerod that the adapter uses. All of them are open on a restricted RPC. */
export interface MoneroDaemon {
  info(signal: AbortSignal): Promise<DaemonInfo>;
  hashAt(height: number, signal: AbortSignal): Promise<string>;
  /** Leaves out those that the daemon does not know. */
  transactions(
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, DaemonTransaction>>;
}

/** A restricted RPC refuses more. */
const transactionsPerCall = 100;

export function createMoneroDaemon(name: string, rpc: MoneroRpc): MoneroDaemon {
  const checked = async (method: string, ask: Promise<unknown>) => {
    const read = answerReader(name, method);
    const fields = read.fields(await ask, "object");
    checkStatus(name, method, fields);
    return { read, fields };
  };

  return {
    info: async (signal) => {
      const method = "get_info";
      const { read, fields } = await checked(method, rpc.call(method, {}, signal));
      return {
        nettype: read.text(fields["nettype"], "nettype"),
        tip: {
          height: read.integer(fields["height"], "height") - 1,
          hash: read.hash(fields["top_block_hash"], "top_block_hash"),
        },
        targetHeight: read.integer(fields["target_height"], "target_height"),
        isSynchronized: fields["synchronized"] === true && fields["busy_syncing"] !== true,
        peers: peersIn(read, fields),
        isRestricted: fields["restricted"] === true,
        version: read.text(fields["version"], "version"),
        time: read.integer(fields["adjusted_time"], "adjusted_time"),
      };
    },

    hashAt: async (height, signal) => {
      const method = "get_block_header_by_height";
      const { read, fields } = await checked(method, rpc.call(method, { height }, signal));
      return read.hash(read.fields(fields["block_header"], "block_header")["hash"], "hash");
    },

    transactions: async (ids, signal) => {
      const path = "/get_transactions";
      const found = new Map<string, DaemonTransaction>();
      for (let start = 0; start < ids.length; start += transactionsPerCall) {
        const body = { txs_hashes: ids.slice(start, start + transactionsPerCall), prune: true };
        const { read, fields } = await checked(path, rpc.post(path, body, signal));
        for (const answer of read.list(fields["txs"], "txs")) {
          const transaction = readTransaction(read, read.fields(answer, "transaction"));
          found.set(transaction.id, transaction);
        }
      }
      return found;
    },
  };
}

function peersIn(read: AnswerReader, fields: Fields): number {
  const [incoming, outgoing] = ["incoming_connections_count", "outgoing_connections_count"].map(
    (field) => read.integer(fields[field] ?? 0, field),
  );
  return (incoming ?? 0) + (outgoing ?? 0);
}

function readTransaction(read: AnswerReader, fields: Fields): DaemonTransaction {
  const isPooled = fields["in_pool"] === true;
  return {
    id: read.hash(fields["tx_hash"], "tx_hash"),
    height: isPooled ? undefined : read.integer(fields["block_height"], "block_height"),
    unlockTime: unlockTimeIn(read, read.text(fields["pruned_as_hex"], "pruned_as_hex")),
  };
}

/** A transaction begins with its version and its unlock time, as numbers of seven bits a byte. */
function unlockTimeIn(read: AnswerReader, text: string): bigint {
  const longestNumber = 10;
  const bytes = hex.decode(read.text(text, "transaction").slice(0, 2 * 2 * longestNumber));
  let [position, value] = [0, 0n];
  for (let number = 0; number < 2; number += 1) {
    let [byte, shift] = [0x80, 0n];
    for (value = 0n; byte >= 0x80; shift += 7n) {
      byte = bytes[position] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      position += 1;
    }
  }
  return value;
}

function checkStatus(name: string, method: string, { status }: Fields): void {
  if (status === "OK" || status === undefined) return;
  if (status === "BUSY") throw new SettlementUnavailable(`${name} is busy with synchronizing`);
  const text = typeof status === "string" ? status.slice(0, 100) : "an unknown status";
  throw new SettlementFailed(`${name} answered ${method} with ${text}`);
}
