import { readTransaction } from "#server/adapters/chain-monero/transaction.ts";
import { callMoneroWallet } from "./monero-adapter.ts";
import type { MoneroChain } from "./monero-chain.ts";
import { houseKeys } from "./monero-keys.ts";
import { startMoneroWallet, type MoneroWallet } from "./monero-wallet.ts";

interface Recipient {
  readonly address: string;
  readonly amount: number;
}

interface SignedTransfer {
  readonly tx_hash_list: readonly string[];
  readonly tx_raw_list: readonly string[];
  readonly tx_key_list: readonly string[];
}

let shared: Promise<MoneroWallet> | undefined;

/** The operator's offline wallet. One per process: creating it takes ten seconds, because it makes a key for TLS. */
export function offlineSigner(): Promise<MoneroWallet> {
  return (shared ??= startSigner());
}

async function startSigner(): Promise<MoneroWallet> {
  const signer = await startMoneroWallet({});
  const { address, spendKey: spendkey, viewKey: viewkey } = houseKeys;
  const keys = { address, spendkey, viewkey };
  const wallet = { filename: "signer", password: "", restore_height: 0 };
  await signer.rpc("generate_from_keys", { ...wallet, ...keys });
  // It signs for addresses that it created and the next 200. Each bed has ten of its own.
  await signer.rpc("create_address", { account_index: 0, count: 64 });
  return signer;
}

/** What an operator uploads: the answers of two calls in one object. */
export async function signTransfer(chain: MoneroChain, unsigned: string): Promise<string> {
  await importOutputs(chain);
  return JSON.stringify({ ...(await sign(unsigned)), ...(await exportKeyImages()) });
}

/** A transfer set has only the outputs whose key images the service's wallet lacks. The signer may lack more. */
async function importOutputs(chain: MoneroChain): Promise<void> {
  const outputs = await callMoneroWallet<object>(chain, "export_outputs", { all: true });
  await (await offlineSigner()).rpc("import_outputs", outputs);
}

async function sign(unsigned: string): Promise<SignedTransfer> {
  const signer = await offlineSigner();
  const asked = { unsigned_txset: unsigned, export_raw: true, get_tx_keys: true };
  return signer.rpc("sign_transfer", asked);
}

async function exportKeyImages(): Promise<object> {
  return (await offlineSigner()).rpc("export_key_images", { all: true });
}

async function recipientsOf(unsigned: string): Promise<readonly Recipient[]> {
  const signer = await offlineSigner();
  const asked = { unsigned_txset: unsigned };
  const { summary } = await signer.rpc<{ summary: { recipients: readonly Recipient[] } }>(
    "describe_transfer",
    asked,
  );
  return summary.recipients;
}

/** A transaction of the house that the service did not prepare. */
async function buildOther(chain: MoneroChain, changes: object): Promise<SignedTransfer> {
  const asked = { account_index: 0, do_not_relay: true, ...changes };
  const { unsigned_txset: unsigned } = await callMoneroWallet<{ unsigned_txset: string }>(
    chain,
    "transfer",
    asked,
  );
  return sign(unsigned);
}

/** Answers of the signer that do not pay exactly what was prepared, by what they change. */
export async function tamperedTransfers(
  chain: MoneroChain,
  unsigned: string,
  foreignAddress: string,
): Promise<Readonly<Record<string, string>>> {
  await importOutputs(chain);
  const destinations = await recipientsOf(unsigned);
  const [first] = destinations;
  if (first === undefined) throw new Error("The transfer pays no one.");
  const amount = first.amount - 1;
  const foreign = { address: foreignAddress, amount: 1_000_000 };
  const signed = await sign(unsigned);
  const keyImages = await exportKeyImages();
  const others = {
    "an amount": { destinations: [{ ...first, amount }] },
    "a destination": { destinations: [{ ...first, address: foreignAddress }] },
    "another output": { destinations: [first, foreign] },
    "the fee": { destinations, priority: 4 },
    "a lock": { destinations, unlock_time: 100_000 },
  };
  const tampered: Record<string, string> = {
    "nothing signed": unsigned,
    "no JSON object": "[]",
    "no transaction key": JSON.stringify({ ...signed, ...keyImages, tx_key_list: [] }),
    "another transaction key": JSON.stringify({
      ...signed,
      ...keyImages,
      tx_key_list: [`01${"0".repeat(62)}`],
    }),
    "another id": JSON.stringify({ ...signed, ...keyImages, tx_hash_list: ["ab".repeat(32)] }),
    "a byte": JSON.stringify({
      ...signed,
      ...keyImages,
      tx_raw_list: [`${signed.tx_raw_list[0]?.slice(0, -2)}00`],
    }),
    "a proof of a key image": JSON.stringify({
      ...signed,
      offset: 0,
      signed_key_images: [{ key_image: "ab".repeat(32), signature: "cd".repeat(64) }],
    }),
  };
  for (const [what, changes] of Object.entries(others)) {
    tampered[what] = JSON.stringify({ ...(await buildOther(chain, changes)), ...keyImages });
  }
  return tampered;
}

/** Mines a transaction that spends the coins of one in the pool elsewhere. Resolves to its id. */
export async function spendElsewhere(chain: MoneroChain, pooled: string): Promise<string> {
  const { daemon } = chain;
  const [keyImage] = readTransaction(pooled)?.keyImages ?? [];
  await daemon.rpc("flush_txpool");
  // The wallet otherwise waits for the transaction that it saw in the pool.
  await callMoneroWallet(chain, "rescan_spent", {});
  await importOutputs(chain);
  const address = await chain.newAddress();
  const asked = { address, key_image: keyImage, do_not_relay: true };
  const swept = await callMoneroWallet<{ unsigned_txset: string }>(chain, "sweep_single", asked);
  const { tx_raw_list: raw, tx_hash_list: ids } = await sign(swept.unsigned_txset);
  await chain.send(raw[0] ?? "");
  await chain.mine();
  return ids[0] ?? "";
}
