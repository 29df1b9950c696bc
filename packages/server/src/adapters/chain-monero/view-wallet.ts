import { createHash } from "node:crypto";
import { SettlementFailed, SettlementUnavailable, type OwnAddresses } from "#ports/settlement.ts";
import type { ViewKeys } from "./account-key.ts";
import type { AnswerReader } from "./answers.ts";
import { RpcRefusal, type MoneroRpc } from "./rpc.ts";
import { createWalletCalls, noWallet } from "./wallet-calls.ts";

/** A payment as the wallet lists it: all outputs of one transaction to one subaddress. */
export interface WalletPayment {
  readonly transactionId: string;
  readonly minor: number;
  readonly address: string;
  readonly amountUnits: bigint;
  /** Undefined while it is in the pool. */
  readonly height: number | undefined;
  /** The reward of a block. */
  readonly isCoinbase: boolean;
}

export interface ViewWallet {
  /** Opens the wallet, and creates it if there is none. False when it was open already. */
  open(signal: AbortSignal): Promise<boolean>;
  /** The number of blocks that it has scanned, counted from the first block of the chain. */
  height(signal: AbortSignal): Promise<number>;
  /** Scans new blocks of its daemon, and leaves the branches that the daemon has left. */
  refresh(signal: AbortSignal): Promise<void>;
  payments(range: PaymentRange, signal: AbortSignal): Promise<readonly WalletPayment[]>;
  /** Creates the subaddress, so that the wallet finds payments to it. */
  prepare(minor: number, signal: AbortSignal): Promise<void>;
  /** Throws `SettlementFailed` when the wallet may have missed payments to issued addresses. */
  checkIssued(own: OwnAddresses, signal: AbortSignal): Promise<void>;
}

export interface PaymentRange {
  readonly from: number;
  readonly to: number;
  readonly withPool: boolean;
}

export interface WalletOptions {
  /** In messages: "The wallet of monero". */
  readonly name: string;
  readonly rpc: MoneroRpc;
  readonly keys: ViewKeys;
  readonly birthHeight: number;
}

const indexOutOfBounds = -15;
const addressesPerCall = 64;
/** The wallet finds payments to 200 subaddresses above its last one. */
const safeLookahead = 150;
const probedBeyond = 100;
/** Far less than the lookahead: a wallet that crashes forgets what it has not stored. */
const addressesPerStore = 50;
const blocksPerStore = 100;
const account = { account_index: 0 };

/** A view-only wallet in a monero-wallet-rpc that serves no one else. */
export function createViewWallet({ name, rpc, keys, birthHeight }: WalletOptions): ViewWallet {
  const filename = walletFileOf(keys.address);
  let session = { isChecked: false, unstoredBlocks: 0 };

  const { call, callOpen } = createWalletCalls(name, rpc);

  /** Undefined where the wallet has no such subaddress, or no wallet is open. */
  const addressAt = async (minor: number, signal: AbortSignal): Promise<string | undefined> => {
    try {
      const asked = { ...account, address_index: [minor] };
      const { read, fields } = await call("get_address", asked, signal);
      const [first] = read.list(fields["addresses"], "addresses");
      return read.text(read.fields(first, "address")["address"], "address");
    } catch (error) {
      if (error instanceof RpcRefusal && [noWallet, indexOutOfBounds].includes(error.code)) {
        return undefined;
      }
      throw error;
    }
  };

  const create = async (signal: AbortSignal): Promise<void> => {
    const { address, viewKey } = keys;
    const wallet = { filename, address, viewkey: viewKey, password: "" };
    try {
      await call("generate_from_keys", { ...wallet, restore_height: birthHeight }, signal);
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
      throw new SettlementFailed(
        `${name} can neither open nor create the wallet file ${filename}. Check that monero-wallet-rpc has a wallet folder that it can write, and that no other program uses the file. ${error.message}`,
        { cause: error },
      );
    }
  };

  const addSubaddresses = async (count: number, signal: AbortSignal): Promise<number> => {
    const { read, fields } = await callOpen("create_address", { ...account, count }, signal);
    const created = read.list(fields["address_indices"], "address_indices");
    const last = read.integer(created.at(-1), "address index");
    const places = (index: number) => Math.floor(index / addressesPerStore);
    if (places(last) > places(last - count)) await callOpen("store", {}, signal);
    return last;
  };

  const prepare = async (minor: number, signal: AbortSignal): Promise<void> => {
    let known = await addressAt(minor, signal);
    // The first answer tells where the wallet is.
    let missing = 1;
    while (known === undefined) {
      const last = await addSubaddresses(Math.min(missing, addressesPerCall), signal);
      missing = minor - last;
      if (missing <= 0) known = await addressAt(minor, signal);
    }
    if (known !== keys.subaddress(minor)) {
      throw new SettlementFailed(`${name} derives another subaddress 0/${minor} than the service`);
    }
  };

  /** How many subaddresses the wallet has, the primary address included. */
  const countSubaddresses = async (signal: AbortSignal): Promise<number> => {
    let [has, lacks] = [0, 1];
    while ((await addressAt(lacks, signal)) !== undefined) [has, lacks] = [lacks, lacks * 2];
    while (lacks - has > 1) {
      const middle = Math.floor((has + lacks) / 2);
      if ((await addressAt(middle, signal)) === undefined) lacks = middle;
      else has = middle;
    }
    return lacks;
  };

  return {
    prepare,
    open: async (signal) => {
      if ((await addressAt(0, signal)) === keys.address) return false;
      session = { isChecked: false, unstoredBlocks: 0 };
      try {
        await call("open_wallet", { filename, password: "" }, signal);
      } catch (error) {
        if (!(error instanceof RpcRefusal)) throw error;
        await create(signal);
      }
      if ((await addressAt(0, signal)) !== keys.address) {
        throw new SettlementFailed(`${name} opened the wallet of another address`);
      }
      return true;
    },

    height: async (signal) => {
      const { read, fields } = await callOpen("get_height", {}, signal);
      return read.integer(fields["height"], "height");
    },

    refresh: async (signal) => {
      const ask = () => callOpen("refresh", {}, signal);
      // The wallet notices that its daemon was restarted only when it uses the old connection.
      const { read, fields } = await ask().catch((error: unknown) => {
        if (!(error instanceof SettlementUnavailable) || signal.aborted) throw error;
        return ask();
      });
      session.unstoredBlocks += read.integer(fields["blocks_fetched"], "blocks_fetched");
      if (session.unstoredBlocks < blocksPerStore) return;
      await callOpen("store", {}, signal);
      session.unstoredBlocks = 0;
    },

    payments: async ({ from, to, withPool }, signal) => {
      // The wallet leaves out the lowest height itself.
      const lowest = Math.max(0, from - 1);
      const heights = { filter_by_height: true, min_height: lowest, max_height: to };
      const asked = { ...account, in: true, pool: withPool, ...heights };
      const { read, fields } = await callOpen("get_transfers", asked, signal);
      const mined = read.list(fields["in"], "in").map((row) => readPayment(read, row, true));
      const pooled = read.list(fields["pool"], "pool").map((row) => readPayment(read, row, false));
      return [...mined, ...pooled];
    },

    checkIssued: async (own, signal) => {
      if (session.isChecked) return;
      const checked = session;
      const count = await countSubaddresses(signal);
      const issuedFrom = async (first: number, length: number) => {
        const minors = Array.from({ length }, (_, index) => first + index);
        const addresses = new Map(minors.map((minor) => [keys.subaddress(minor), minor]));
        return [...(await own.among([...addresses.keys()]))].map((at) => addresses.get(at) ?? 0);
      };
      if ((await issuedFrom(count + safeLookahead, probedBeyond)).length > 0) {
        throw new SettlementFailed(
          `${name} has ${count} addresses, fewer than were issued, and may have missed payments. Restore the wallet file ${filename} with a larger lookahead, as the guide for Monero describes.`,
        );
      }
      const issued = await issuedFrom(count, safeLookahead);
      if (issued.length > 0) await prepare(Math.max(...issued), signal);
      checked.isChecked = true;
    },
  };
}

/** The same file for the same address, whatever else is in the folder. */
export function walletFileOf(address: string): string {
  return `ironlease-${createHash("sha256").update(address).digest("hex").slice(0, 16)}`;
}

function readPayment(read: AnswerReader, row: unknown, isMined: boolean): WalletPayment {
  const fields = read.fields(row, "transfer");
  const { minor } = read.fields(fields["subaddr_index"], "subaddr_index");
  return {
    transactionId: read.hash(fields["txid"], "txid"),
    minor: read.integer(minor, "minor index"),
    address: read.text(fields["address"], "address"),
    amountUnits: read.units(fields["amount"], "amount"),
    height: isMined ? read.integer(fields["height"], "height") : undefined,
    isCoinbase: fields["type"] === "block",
  };
}
