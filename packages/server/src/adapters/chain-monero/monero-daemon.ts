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
  /** As hexadecimal text, without the proofs. */
  readonly pruned: string;
}

export type SendOutcome = "SENT" | "KNOWN" | { readonly rejected: string };

/** The calls of monerod that the adapter uses. All of them are open on a restricted RPC. */
export interface MoneroDaemon {
  info(signal: AbortSignal): Promise<DaemonInfo>;
  hashAt(height: number, signal: AbortSignal): Promise<string>;
  /** Leaves out those that the daemon does not know. */
  transactions(
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, DaemonTransaction>>;
  /** The transactions of a block, its reward left out. */
  transactionIdsAt(height: number, signal: AbortSignal): Promise<readonly string[]>;
  /** Where each of these key images was spent. */
  spent(keyImages: readonly string[], signal: AbortSignal): Promise<readonly SpentStatus[]>;
  /** Sends a transaction to the network. */
  send(raw: string, signal: AbortSignal): Promise<SendOutcome>;
}

export type SpentStatus = "UNSPENT" | "MINED" | "POOLED";
const spentStatuses: readonly SpentStatus[] = ["UNSPENT", "MINED", "POOLED"];

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

    transactionIdsAt: async (height, signal) => {
      const { read, fields } = await checked(
        "get_block",
        rpc.call("get_block", { height }, signal),
      );
      return read
        .list(fields["tx_hashes"], "tx_hashes")
        .map((id) => read.hash(id, "transaction id"));
    },

    spent: async (keyImages, signal) => {
      const path = "/is_key_image_spent";
      const body = { key_images: keyImages };
      const { read, fields } = await checked(path, rpc.post(path, body, signal));
      const statuses = read.list(fields["spent_status"], "spent_status");
      return keyImages.map((_, index) => {
        const status = spentStatuses[read.integer(statuses[index], "spent_status")];
        if (status === undefined) throw new SettlementFailed(`${name} answered ${path} wrongly`);
        return status;
      });
    },

    send: async (raw, signal) => {
      const path = "/send_raw_transaction";
      const body = { tx_as_hex: raw, do_not_relay: false };
      const answer = answerReader(name, path).fields(await rpc.post(path, body, signal), "object");
      if (answer["status"] === "Failed") return { rejected: rejectionIn(answer) };
      checkStatus(name, path, answer);
      return answer["not_relayed"] === true ? "KNOWN" : "SENT";
    },
  };
}

/** The daemon sets a flag per reason, and adds a text to some of them. */
function rejectionIn(answer: Fields): string {
  const flags = Object.keys(answer).filter(
    (key) => answer[key] === true && !["untrusted", "not_relayed"].includes(key),
  );
  const { reason } = answer;
  const said = typeof reason === "string" && reason !== "" ? [reason.slice(0, 100)] : [];
  return [...flags, ...said].join(", ") || "The daemon gave no reason.";
}

function peersIn(read: AnswerReader, fields: Fields): number {
  const [incoming, outgoing] = ["incoming_connections_count", "outgoing_connections_count"].map(
    (field) => read.integer(fields[field] ?? 0, field),
  );
  return (incoming ?? 0) + (outgoing ?? 0);
}

function readTransaction(read: AnswerReader, fields: Fields): DaemonTransaction {
  const isPooled = fields["in_pool"] === true;
  const pruned = read.text(fields["pruned_as_hex"], "pruned_as_hex");
  return {
    id: read.hash(fields["tx_hash"], "tx_hash"),
    height: isPooled ? undefined : read.integer(fields["block_height"], "block_height"),
    unlockTime: unlockTimeIn(read, pruned),
    pruned,
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
