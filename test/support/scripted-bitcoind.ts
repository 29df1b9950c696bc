import { bech32, hex } from "@scure/base";
import {
  startScriptedNode,
  type NodeAnswer,
  type NodeCall,
  type ScriptedNode,
} from "./scripted-node.ts";

/** Coins as a number, as JSON.parse would read what a node prints. */
export interface ScriptedOutput {
  readonly script: string;
  readonly coins: number;
}

export interface ScriptedTransaction {
  readonly txid: string;
  readonly outputs: readonly ScriptedOutput[];
}

/** A chain with the answers that the documentation of Bitcoin Core 29 describes. */
export interface ScriptedBitcoind extends ScriptedNode {
  /** The hash of the block at a height. Another branch gives other hashes above its first height. */
  hashAt(height: number): string;
  mine(...transactions: readonly ScriptedTransaction[]): void;
  addToPool(...transactions: readonly ScriptedTransaction[]): void;
  clearPool(): void;
  /** Answers calls of this method differently until it is given undefined. */
  override(method: string, answer: ((call: NodeCall) => NodeAnswer | undefined) | undefined): void;
}

const mainnet = {
  chain: "main",
  genesisHash: "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f",
};
export const bitcoinRegtest = {
  chain: "regtest",
  genesisHash: "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206",
};

export async function startScriptedBitcoind(
  firstHeight: number,
  { chain, genesisHash } = mainnet,
): Promise<ScriptedBitcoind> {
  const blocks = new Map<number, readonly ScriptedTransaction[]>([[firstHeight, []]]);
  const pool = new Map<string, ScriptedTransaction>();
  const overrides = new Map<string, (call: NodeCall) => NodeAnswer | undefined>();
  let tip = firstHeight;

  const header = (height: number) => ({
    hash: hashAt(height),
    confirmations: tip - height + 1,
    height,
    version: 0x2000_0000,
    versionHex: "20000000",
    merkleroot: "33".repeat(32),
    time: 1_750_000_000,
    mediantime: 1_749_999_000,
    nonce: 1,
    bits: "17023a04",
    target: `${"0".repeat(18)}${"23a04".padEnd(46, "0")}`,
    difficulty: 126_411_437_451_912.23,
    chainwork: "00".repeat(32),
    nTx: (blocks.get(height)?.length ?? 0) + 1,
    previousblockhash: hashAt(height - 1),
  });
  const answers: Record<string, (call: NodeCall) => NodeAnswer> = {
    getblockchaininfo: () => ({
      result: {
        chain,
        blocks: tip,
        headers: tip,
        bestblockhash: hashAt(tip),
        bits: "17023a04",
        target: "00",
        difficulty: 126_411_437_451_912.23,
        time: 1_750_000_000,
        mediantime: 1_749_999_000,
        verificationprogress: 0.9999993,
        initialblockdownload: false,
        chainwork: "00".repeat(32),
        size_on_disk: 750e9,
        pruned: false,
        warnings: [],
      },
    }),
    getnetworkinfo: () => ({
      result: {
        version: 290_000,
        subversion: "/Satoshi:29.0.0/",
        protocolversion: 70_016,
        connections: 10,
        connections_in: 0,
        connections_out: 10,
        networkactive: true,
        localservicesnames: ["NETWORK", "WITNESS"],
        localaddresses: [],
        warnings: [],
      },
    }),
    getblockhash: ({ params: [height] }) => {
      if (height === 0) return { result: genesisHash };
      const isKnown = typeof height === "number" && height <= tip;
      return isKnown ? { result: hashAt(height) } : refuse(-8, "Block height out of range");
    },
    getblockheader: ({ params: [hash] }) => {
      const height = [...blocks.keys()].find((known) => hashAt(known) === hash);
      return height === undefined ? refuse(-5, "Block not found") : { result: header(height) };
    },
    getblock: ({ params: [hash] }) => {
      const height = [...blocks.keys()].find((known) => hashAt(known) === hash);
      if (height === undefined) return refuse(-5, "Block not found");
      const mined = (blocks.get(height) ?? []).map(printTransaction);
      return {
        result: { ...header(height), size: 1, weight: 4, tx: [coinbaseOf(height), ...mined] },
      };
    },
    getrawmempool: () => ({ result: [...pool.keys()] }),
    getrawtransaction: ({ params: [id] }) => {
      const found = pool.get(id as string);
      const message = "No such mempool transaction. Use -txindex or provide a block hash.";
      return found === undefined ? refuse(-5, message) : { result: printTransaction(found) };
    },
    getmempoolentry: ({ params: [id] }) =>
      pool.has(id as string)
        ? { result: { vsize: 141, weight: 561, fees: { base: 0.00000282 }, unbroadcast: false } }
        : refuse(-5, "Transaction not in mempool"),
    getmempoolinfo: () => ({
      result: { loaded: true, size: pool.size, bytes: 141 * pool.size, fullrbf: true },
    }),
  };

  const node = await startScriptedNode(
    (call) =>
      overrides.get(call.method)?.(call) ??
      answers[call.method]?.(call) ??
      refuse(-32_601, "Method not found"),
  );
  return {
    ...node,
    hashAt,
    mine: (...transactions) => {
      tip += 1;
      blocks.set(tip, transactions);
      for (const { txid } of transactions) pool.delete(txid);
    },
    addToPool: (...transactions) => {
      for (const transaction of transactions) pool.set(transaction.txid, transaction);
    },
    clearPool: () => pool.clear(),
    override: (method, answer) => {
      if (answer === undefined) overrides.delete(method);
      else overrides.set(method, answer);
    },
  };
}

/** The script of an address for one key, which starts with bc1q, tb1q or bcrt1q. */
export function scriptOf(address: string): string {
  const { words } = bech32.decode(address as `${string}1${string}`);
  return `0014${hex.encode(bech32.fromWords(words.slice(1)))}`;
}

export function refuse(code: number, message: string): NodeAnswer {
  return { error: { code, message } };
}

function hashAt(height: number): string {
  return height.toString(16).padStart(64, "0");
}

/** Since 22.0 an output has `address`, where older versions have `addresses` and `reqSigs`. */
function printTransaction({ txid, outputs }: ScriptedTransaction) {
  return {
    txid,
    hash: txid,
    version: 2,
    size: 222,
    vsize: 141,
    weight: 561,
    locktime: 0,
    vin: [{ txid: "44".repeat(32), vout: 0, scriptSig: { asm: "", hex: "" }, sequence: 1 }],
    vout: outputs.map(({ script, coins }, n) => ({
      value: coins,
      n,
      scriptPubKey: {
        asm: "0 …",
        desc: "addr(bc1q…)#…",
        hex: script,
        address: "bc1q…",
        type: "witness_v0_keyhash",
      },
    })),
    fee: 0.00000282,
    hex: "0200…",
  };
}

function coinbaseOf(height: number) {
  return {
    txid: `c0${hashAt(height).slice(2)}`,
    vin: [{ coinbase: "03…", txinwitness: ["00".repeat(32)], sequence: 4_294_967_295 }],
    vout: [
      {
        value: 3.125,
        n: 0,
        scriptPubKey: { asm: "1 …", hex: `5120${"55".repeat(32)}`, type: "witness_v1_taproot" },
      },
      { value: 0, n: 1, scriptPubKey: { asm: "OP_RETURN …", hex: "6a24aa21", type: "nulldata" } },
    ],
  };
}
