import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { walletFileOf } from "#server/adapters/chain-monero/view-wallet.ts";
import { withFileLock } from "../../tools/file-lock.ts";
import { houseKeys, payerKeys } from "./monero-keys.ts";
import { openMonero, serversOf } from "./monero-adapter.ts";
import { startMoneroWallet, type MoneroWallet } from "./monero-wallet.ts";
import { startMonerod, type Monerod } from "./monerod.ts";

/** Coins as a decimal, because a number would round. */
export interface MoneroPayment {
  readonly address: string;
  readonly coins: string;
}

/** Blocks that were removed, with what is needed to put them back. */
export interface RemovedBlocks {
  readonly blocks: readonly string[];
}

/** A regtest chain with a payer who has coins, and the wallet server of the service. */
export interface MoneroChain {
  readonly daemon: Monerod;
  readonly payer: MoneroWallet;
  readonly house: MoneroWallet;
  tipHeight(): Promise<number>;
  newAddress(): Promise<string>;
  restartDaemon(): Promise<void>;
  mine(blocks?: number): Promise<void>;
  /** Sends one transaction into the pool. Resolves to its id. */
  pay(payments: readonly MoneroPayment[], options?: object): Promise<string>;
  /** Sends a signed transaction, as hexadecimal text. */
  send(hex: string): Promise<void>;
  /** Every transaction of the pool, as hexadecimal text. */
  pool(): Promise<readonly string[]>;
  /** Removes the last blocks. Their transactions return to the pool. */
  removeBlocks(depth: number): Promise<RemovedBlocks>;
  putBack(removed: RemovedBlocks): Promise<void>;
  /** Replaces the last blocks by one block more. Their transactions return to the pool or are mined again. */
  reorganise(depth: number, options?: { readonly mineAgain: boolean }): Promise<void>;
  /** Removes a mined transaction, and mines one that spends its coins elsewhere. */
  doubleSpend(transactionId: string): Promise<void>;
  stop(): Promise<void>;
}

const cache = fileURLToPath(new URL("../../.cache/monero-chain", import.meta.url));
/** Rewards can be spent after 60 more blocks, and a payment hides among 16 outputs. */
const firstBlocks = 120;
const blocksPerCall = 20;
const decimals = 12;
const walletLogin = "ironlease:correct horse";

/** Starts on a copy of a chain that is mined once per checkout, because that takes half a minute. */
export async function startMoneroChain(): Promise<MoneroChain> {
  await prepareCache();
  const daemon = await startMonerod({ blocks: join(cache, "data") });
  const wallets = join(cache, "wallets");
  const [payer, house] = await Promise.all([
    startMoneroWallet({ daemonUrl: daemon.url, wallets }),
    startMoneroWallet({ daemonUrl: daemon.url, wallets, login: walletLogin }),
  ]);
  await Promise.all([
    payer.rpc("open_wallet", { filename: "payer", password: "" }),
    // Opening takes seconds, because the wallet makes a key for TLS. Tests should not time out over it.
    openMonero(serversOf({ daemon, house })).health(new AbortController().signal),
  ]);
  return chainOf(daemon, payer, house);
}

let shared: Promise<MoneroChain> | undefined;

/** One chain for all tests of a file. It ends with the file's process. */
export function sharedMoneroChain(): Promise<MoneroChain> {
  return (shared ??= startMoneroChain());
}

async function prepareCache(): Promise<void> {
  if (existsSync(cache)) return;
  await mkdir(dirname(cache), { recursive: true });
  await withFileLock(
    `${cache}.lock`,
    () => {},
    async () => {
      if (!existsSync(cache)) await mineCache();
    },
  );
}

/** A chain whose miner is the payer, the payer's wallet, and the view-only wallet of the service. */
async function mineCache(): Promise<void> {
  const made = await mkdtemp(`${cache}-`);
  const daemon = await startMonerod();
  const wallet = await startMoneroWallet({ daemonUrl: daemon.url });
  for (let mined = 0; mined < firstBlocks; mined += blocksPerCall) {
    await mineBlocks(daemon, blocksPerCall);
  }
  const create = { password: "", restore_height: 0 };
  const { spendKey, viewKey: payerViewKey, address: payerAddress } = payerKeys;
  await wallet.rpc("generate_from_keys", {
    ...create,
    filename: "payer",
    address: payerAddress,
    spendkey: spendKey,
    viewkey: payerViewKey,
  });
  await wallet.rpc("refresh");
  await wallet.rpc("store");
  const { viewKey, address } = houseKeys;
  await wallet.rpc("generate_from_keys", {
    ...create,
    filename: walletFileOf(address),
    address,
    viewkey: viewKey,
  });
  await wallet.rpc("refresh");
  await wallet.rpc("close_wallet");
  // monerod writes everything when it ends.
  await daemon.restart();
  await cp(wallet.walletFolder, join(made, "wallets"), { recursive: true });
  await cp(join(daemon.folder, "data"), join(made, "data"), { recursive: true });
  await Promise.all([wallet.stop(), daemon.stop()]);
  await rename(made, cache).catch(async (error: unknown) => {
    await rm(made, { recursive: true, force: true });
    throw error;
  });
}

async function mineBlocks(daemon: Monerod, blocks: number): Promise<void> {
  const reward = { wallet_address: payerKeys.address };
  await daemon.rpc("generateblocks", { amount_of_blocks: blocks, ...reward });
}

function chainOf(daemon: Monerod, payer: MoneroWallet, house: MoneroWallet): MoneroChain {
  const tipHeight = async () => (await daemon.rpc<{ height: number }>("get_info")).height - 1;

  /** The daemon puts a transaction into blocks only after it has relayed it, which it does a moment later. */
  const untilRelayed = async (): Promise<void> => {
    interface Pool {
      readonly transactions?: readonly { readonly relayed: boolean }[];
    }
    for (;;) {
      const { transactions = [] } = await daemon.post<Pool>("/get_transaction_pool");
      if (transactions.every(({ relayed }) => relayed)) return;
    }
  };

  /** The first block has every transaction of the pool. */
  const mine = async (blocks = 1): Promise<void> => {
    await untilRelayed();
    await mineBlocks(daemon, blocks);
  };

  const removeBlocks = async (depth: number): Promise<RemovedBlocks> => {
    const tip = await tipHeight();
    const blocks: string[] = [];
    for (let height = tip - depth + 1; height <= tip; height += 1) {
      blocks.push((await daemon.rpc<{ blob: string }>("get_block", { height })).blob);
    }
    await daemon.post("/pop_blocks", { nblocks: depth });
    return { blocks };
  };

  const pool = async (): Promise<readonly string[]> => {
    const { tx_hashes: ids = [] } = await daemon.post<{ tx_hashes?: string[] }>(
      "/get_transaction_pool_hashes",
    );
    const asked = { txs_hashes: ids };
    const answer =
      ids.length === 0
        ? { txs: [] }
        : await daemon.post<{ txs: { as_hex: string }[] }>("/get_transactions", asked);
    return answer.txs.map((transaction) => transaction.as_hex);
  };

  const emptyPool = async (): Promise<readonly string[]> => {
    const transactions = await pool();
    await daemon.rpc("flush_txpool");
    return transactions;
  };

  const send = async (hex: string): Promise<void> => {
    const sent = await daemon.post<{ status: string; reason: string }>("/send_raw_transaction", {
      tx_as_hex: hex,
    });
    if (sent.status !== "OK") throw new Error(`The daemon refused a transaction: ${sent.reason}`);
  };

  return {
    daemon,
    payer,
    house,
    tipHeight,
    mine,
    send,
    pool,
    removeBlocks,
    newAddress: async () =>
      (await payer.rpc<{ address: string }>("create_address", { account_index: 0 })).address,
    pay: async (payments, options = {}) => {
      await payer.rpc("refresh");
      const destinations = payments.map(({ address, coins }) => ({
        address,
        amount: Number(unitsOf(coins)),
      }));
      const sent = await payer.rpc<{ tx_hash: string }>("transfer", { destinations, ...options });
      await untilRelayed();
      return sent.tx_hash;
    },
    restartDaemon: async () => {
      await daemon.restart();
      // The payer's wallet notices only now that its old connection is gone.
      await payer.rpc("refresh").catch(() => {});
    },
    putBack: async ({ blocks }) => {
      for (const block of blocks) await daemon.rpc("submit_block", [block]);
    },
    reorganise: async (depth, { mineAgain } = { mineAgain: false }) => {
      await removeBlocks(depth);
      const removed = mineAgain ? [] : await emptyPool();
      await mine(depth + 1);
      for (const hex of removed) await send(hex);
    },
    doubleSpend: async (transactionId) => {
      const { txs } = await daemon.post<{ txs: { as_json: string; block_height: number }[] }>(
        "/get_transactions",
        { txs_hashes: [transactionId], decode_as_json: true },
      );
      const [transaction] = txs;
      if (transaction === undefined) throw new Error("The daemon does not know the transaction.");
      const { vin } = JSON.parse(transaction.as_json) as { vin: { key: { k_image: string } }[] };
      const depth = (await tipHeight()) - transaction.block_height + 1;
      await removeBlocks(depth);
      await emptyPool();
      // The payer's wallet leaves its old branch only for a longer one.
      await mine(depth + 1);
      await payer.rpc("refresh");
      // It would otherwise wait for its payment to be mined after all.
      await payer.rpc("rescan_spent");
      const { address } = payerKeys;
      await payer.rpc("sweep_single", { address, key_image: vin[0]?.key.k_image });
      await mine();
    },
    stop: async () => {
      await Promise.all([payer.stop(), house.stop()]);
      await daemon.stop();
    },
  };
}

function unitsOf(coins: string): bigint {
  const [whole = "", fraction = ""] = coins.split(".");
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}
