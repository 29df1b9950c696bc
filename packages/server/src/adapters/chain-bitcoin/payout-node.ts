import { SettlementFailed } from "#ports/settlement.ts";
import { answerReader } from "./answers.ts";
import { RpcRefusal, type JsonRpc } from "../json-rpc.ts";

/** An output that nothing has spent. */
export interface UnspentOutput {
  /** 0 in the pool. */
  readonly confirmations: number;
  readonly amountUnits: bigint;
  readonly script: string;
}

export interface FoundTransaction {
  readonly id: string;
  readonly confirmations: number;
  /** Every output of the transaction, by its index. */
  readonly outputs: readonly { readonly amountUnits: bigint; readonly script: string }[];
}

/** A transaction of a block, with the outpoints that it spends. */
export interface Spender {
  readonly id: string;
  readonly spends: readonly string[];
}

/** The node calls that payouts need. None of them needs a wallet. */
export interface PayoutNode {
  /** Outpoints as `txid:vout`. Undefined for those that are spent or do not exist. */
  unspent(
    outpoints: readonly string[],
    withPool: boolean,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, UnspentOutput | undefined>>;
  /** Units per virtual byte. Undefined when the node has no estimate. */
  feeRate(signal: AbortSignal): Promise<number | undefined>;
  /** The lowest rate that the node relays. */
  minFeeRate(signal: AbortSignal): Promise<number>;
  /** Why the node would refuse the bytes. */
  testAccept(raw: string, signal: AbortSignal): Promise<string | undefined>;
  /** Throws `RpcRefusal` when the node refuses the bytes. */
  send(raw: string, signal: AbortSignal): Promise<void>;
  /** In the pool, in the given block, or anywhere if the node has an index. */
  transaction(
    id: string,
    blockHash: string | undefined,
    signal: AbortSignal,
  ): Promise<FoundTransaction | undefined>;
  blockIds(hash: string, signal: AbortSignal): Promise<readonly string[]>;
  spenders(hash: string, signal: AbortSignal): Promise<readonly Spender[]>;
}

const notFound = -5;
const batchSize = 100;
const estimateBlocks = 6;
const bytesPerKilobyte = 1_000;

export function createPayoutNode(network: string, rpc: JsonRpc): PayoutNode {
  const reader = (method: string) => answerReader(network, method);
  const perByte = (units: bigint) => Number(units) / bytesPerKilobyte;
  const scriptOf = (method: string, answer: unknown) => {
    const read = reader(method);
    return read.text(read.fields(answer)["hex"], "scriptPubKey");
  };
  return {
    unspent: async (outpoints, withPool, signal) => {
      const found = new Map<string, UnspentOutput | undefined>();
      const read = reader("gettxout");
      for (let start = 0; start < outpoints.length; start += batchSize) {
        const part = outpoints.slice(start, start + batchSize);
        const calls = part.map((outpoint) => ({
          method: "gettxout",
          params: [...splitOutpoint(outpoint), withPool],
        }));
        for (const [index, answer] of (await rpc.batch(calls, signal)).entries()) {
          if ("error" in answer) throw answer.error;
          const outpoint = part[index] as string;
          if (answer.result === null) {
            found.set(outpoint, undefined);
            continue;
          }
          const { confirmations, value, scriptPubKey } = read.fields(answer.result);
          found.set(outpoint, {
            confirmations: read.integer(confirmations, "confirmations"),
            amountUnits: read.units(value, "value"),
            script: scriptOf("gettxout", scriptPubKey),
          });
        }
      }
      return found;
    },
    feeRate: async (signal) => {
      const read = reader("estimatesmartfee");
      const answer = await rpc.call("estimatesmartfee", [estimateBlocks], signal);
      const { feerate } = read.fields(answer);
      return feerate === undefined ? undefined : perByte(read.units(feerate, "feerate"));
    },
    minFeeRate: async (signal) => {
      const read = reader("getmempoolinfo");
      const fields = read.fields(await rpc.call("getmempoolinfo", [], signal));
      return perByte(read.units(fields["mempoolminfee"], "mempoolminfee"));
    },
    testAccept: async (raw, signal) => {
      const read = reader("testmempoolaccept");
      const answer = await rpc.call("testmempoolaccept", [[raw]], signal);
      const fields = read.fields(read.list(answer, "list")[0]);
      return fields["allowed"] === true
        ? undefined
        : read.text(fields["reject-reason"], "reject-reason");
    },
    send: async (raw, signal) => {
      await rpc.call("sendrawtransaction", [raw], signal);
    },
    transaction: async (id, blockHash, signal) => {
      const read = reader("getrawtransaction");
      const block = blockHash === undefined ? [] : [blockHash];
      let answer: unknown;
      try {
        answer = await rpc.call("getrawtransaction", [id, true, ...block], signal);
      } catch (error) {
        if (error instanceof RpcRefusal && error.code === notFound) return undefined;
        throw error;
      }
      const { txid, confirmations, vout } = read.fields(answer);
      return {
        id: read.hash(txid, "txid"),
        confirmations: confirmations === undefined ? 0 : read.integer(confirmations, "count"),
        outputs: read.list(vout, "vout").map((output) => {
          const { value, scriptPubKey } = read.fields(output);
          return {
            amountUnits: read.units(value, "value"),
            script: scriptOf("getrawtransaction", scriptPubKey),
          };
        }),
      };
    },
    blockIds: async (hash, signal) => {
      const read = reader("getblock");
      const { tx } = read.fields(await rpc.call("getblock", [hash, 1], signal));
      return read.list(tx, "tx").map((id) => read.hash(id, "txid"));
    },
    spenders: async (hash, signal) => {
      const read = reader("getblock");
      const { tx } = read.fields(await rpc.call("getblock", [hash, 2], signal));
      return read.list(tx, "tx").map((transaction) => {
        const { txid, vin } = read.fields(transaction);
        const inputs = read.list(vin ?? [], "vin").map((input) => read.fields(input));
        const spends = inputs.flatMap((input) =>
          typeof input["txid"] === "string" ? [`${input["txid"]}:${String(input["vout"])}`] : [],
        );
        return { id: read.hash(txid, "txid"), spends };
      });
    },
  };
}

export function outpointOf(output: {
  readonly transactionId: string;
  readonly outputIndex: number;
}): string {
  return `${output.transactionId}:${output.outputIndex}`;
}

function splitOutpoint(outpoint: string): readonly [string, number] {
  const [id, index] = outpoint.split(":");
  if (id === undefined || index === undefined) {
    throw new SettlementFailed(`${outpoint} is not an output`);
  }
  return [id, Number(index)];
}
