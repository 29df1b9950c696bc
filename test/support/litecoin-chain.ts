import { mineHeaders } from "./litecoin-headers.ts";
import { startLitecoind, type Litecoind, type LitecoindOptions } from "./litecoind.ts";

/** Coins as a decimal such as "0.00000001", because a number would round. */
export interface PaymentOutput {
  readonly address: string;
  readonly coins: string;
}

export interface SentPayment {
  readonly transactionId: string;
  /** The index of each output, in the order in which they were given. */
  readonly outputIndexes: readonly number[];
}

/** Events of a real chain, as deposits and payouts meet them. */
export interface LitecoinChain {
  readonly node: Litecoind;
  /** A new address of the miner, who is not the service. */
  newAddress(): Promise<string>;
  /** Mines blocks with all waiting transactions, and pays their rewards to the address. */
  mine(blocks?: number, address?: string): Promise<readonly string[]>;
  /** Sends a replaceable payment into the mempool. */
  pay(address: string, coins: string): Promise<SentPayment>;
  /** The same with several outputs in one transaction, which may pay one address twice. */
  payMany(outputs: readonly PaymentOutput[]): Promise<SentPayment>;
  /**
   * Replaces the last blocks by one block more. Their transactions return to the mempool, and into
   * the new blocks if they are mined again.
   */
  reorganise(depth: number, options?: { readonly mineAgain: boolean }): Promise<Reorganisation>;
  /** Replaces a transaction of the mempool by one with the same payments and a higher fee. */
  replaceWithHigherFee(transactionId: string): Promise<string>;
  /** Mines a transaction that spends the same coins elsewhere, after removing the first if it is mined. */
  doubleSpend(transactionId: string): Promise<string>;
  /** Gives the node headers whose blocks it does not have. It is behind until it has mined as many and one. */
  behind(blocks: number): Promise<void>;
}

export interface Reorganisation {
  /** The hashes of the removed and of the new blocks, the lowest first. */
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

const miner = "miner";
/** A block's reward can be spent after 100 more. The ten that can be are enough for any test. */
const firstBlocks = 110;
const doubleSpendFee = 0.001;

/** Starts a node whose miner has coins to pay with. */
export async function startLitecoinChain(options?: LitecoindOptions): Promise<LitecoinChain> {
  const node = await startLitecoind(options);
  // Its last argument loads it again at every start.
  await node.rpc("createwallet", [miner, false, false, "", false, false, true]);
  const chain = chainOf(node);
  await chain.mine(firstBlocks);
  return chain;
}

let shared: Promise<LitecoinChain> | undefined;

/** One chain for all tests of a file. It ends with the file's process. */
export async function sharedLitecoinChain(): Promise<LitecoinChain> {
  return (shared ??= startLitecoinChain());
}

interface Transaction {
  readonly vin: readonly { readonly txid: string; readonly vout: number }[];
  readonly vout: readonly {
    readonly n: number;
    readonly value: number;
    readonly scriptPubKey: { readonly hex: string };
  }[];
  readonly blockhash?: string;
}

function chainOf(node: Litecoind): LitecoinChain {
  const wallet = <Result>(method: string, ...parameters: readonly unknown[]): Promise<Result> =>
    node.walletRpc(miner, method, parameters);
  const newAddress = (): Promise<string> => wallet("getnewaddress", "", "bech32");
  const heightOf = async (block: string): Promise<number> =>
    (await node.rpc<{ height: number }>("getblockheader", [block])).height;
  const transaction = (id: string): Promise<Transaction> =>
    node.rpc("getrawtransaction", [id, true]);

  const mine = async (blocks = 1, address?: string): Promise<readonly string[]> =>
    node.rpc("generatetoaddress", [blocks, address ?? (await newAddress())]);

  /** Mines a block with these transactions only. */
  const mineOnly = async (transactions: readonly string[]): Promise<string> => {
    const parameters = [await newAddress(), transactions];
    return (await node.rpc<{ hash: string }>("generateblock", parameters)).hash;
  };

  const removeBlocks = async (depth: number): Promise<readonly string[]> => {
    const height = await node.rpc<number>("getblockcount");
    const removed: string[] = [];
    for (let at = height - depth + 1; at <= height; at += 1) {
      removed.push(await node.rpc("getblockhash", [at]));
    }
    await node.rpc("invalidateblock", [removed[0]]);
    return removed;
  };

  const payMany = async (outputs: readonly PaymentOutput[]): Promise<SentPayment> => {
    const scripts = await Promise.all(outputs.map(({ address }) => scriptOf(node, address)));
    // The node refuses an address twice, so each output first gets an address of its own.
    const placeholders: Record<string, string>[] = [];
    const placeholderScripts: string[] = [];
    for (const { coins } of outputs) {
      const address = await newAddress();
      placeholders.push({ [address]: coins });
      placeholderScripts.push(await scriptOf(node, address));
    }
    let raw = await node.rpc<string>("createrawtransaction", [[], placeholders]);
    for (const [index, placeholder] of placeholderScripts.entries()) {
      raw = raw.replace(withLength(placeholder), withLength(scripts[index] ?? ""));
    }
    const options = { replaceable: true, changePosition: outputs.length };
    const funded = await wallet<{ hex: string }>("fundrawtransaction", raw, options);
    const signed = await wallet<{ hex: string }>("signrawtransactionwithwallet", funded.hex);
    const transactionId = await node.rpc<string>("sendrawtransaction", [signed.hex]);
    return { transactionId, outputIndexes: outputs.map((_, index) => index) };
  };

  return {
    node,
    newAddress,
    mine,
    payMany,
    pay: (address, coins) => payMany([{ address, coins }]),
    reorganise: async (depth, { mineAgain } = { mineAgain: false }) => {
      const removed = await removeBlocks(depth);
      if (mineAgain) return { removed, added: await mine(depth + 1) };
      const added: string[] = [];
      for (let block = 0; block <= depth; block += 1) added.push(await mineOnly([]));
      return { removed, added };
    },
    replaceWithHigherFee: async (transactionId) =>
      (await wallet<{ txid: string }>("bumpfee", transactionId)).txid,
    doubleSpend: async (transactionId) => {
      const { vin, blockhash } = await transaction(transactionId);
      const tip = await node.rpc<number>("getblockcount");
      const depth = blockhash === undefined ? 0 : tip - (await heightOf(blockhash)) + 1;
      let total = 0;
      for (const { txid, vout } of vin) total += (await transaction(txid)).vout[vout]?.value ?? 0;
      if (depth > 0) await removeBlocks(depth);
      const output = { [await newAddress()]: (total - doubleSpendFee).toFixed(8) };
      const raw = await node.rpc("createrawtransaction", [vin, [output]]);
      const signed = await wallet<{ hex: string }>("signrawtransactionwithwallet", raw);
      const { txid } = await node.rpc<{ txid: string }>("decoderawtransaction", [signed.hex]);
      await mineOnly([signed.hex]);
      for (let block = 0; block < depth; block += 1) await mineOnly([]);
      return txid;
    },
    behind: async (blocks) => {
      const tip = await node.rpc<string>("getbestblockhash");
      const { mediantime } = await node.rpc<{ mediantime: number }>("getblockheader", [tip]);
      for (const header of mineHeaders(tip, mediantime, blocks)) {
        await node.rpc("submitheader", [header]);
      }
    },
  };
}

async function scriptOf(node: Litecoind, address: string): Promise<string> {
  const answer = await node.rpc<{ isvalid: boolean; scriptPubKey: string }>("validateaddress", [
    address,
  ]);
  if (!answer.isvalid) throw new Error(`${address} is not an address of regtest.`);
  return answer.scriptPubKey;
}

/** A script as a transaction has it. All scripts of addresses are shorter than 253 bytes. */
function withLength(script: string): string {
  return (script.length / 2).toString(16).padStart(2, "0") + script;
}
