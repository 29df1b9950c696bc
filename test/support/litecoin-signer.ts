import { base64, hex } from "@scure/base";
import { HDKey } from "@scure/bip32";
import { Transaction } from "@scure/btc-signer/transaction.js";
import type { LitecoinChain } from "./litecoin-chain.ts";

/** The well-known seed `abandon … about`. Its account at m/84'/1'/0' is the one that tests configure. */
const seed = hex.decode(
  "5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4",
);
const testVersions = { public: 0x043587cf, private: 0x04358394 };
const account = HDKey.fromMasterSeed(seed, testVersions).derive("m/84'/1'/0'");

const miner = "miner";
const fee = 100_000n;

/** Signs a PSBT as the wallet with the account's private key does. */
export function signPsbt(psbt: string): string {
  return signed(read(psbt));
}

/** Signed variants of a PSBT, each with one change. */
export async function tamperedPsbts(
  { node }: LitecoinChain,
  psbt: string,
  foreignAddress: string,
): Promise<Readonly<Record<string, string>>> {
  const { scriptPubKey } = await node.walletRpc<{ scriptPubKey: string }>(miner, "getaddressinfo", [
    foreignAddress,
  ]);
  const script = hex.decode(scriptPubKey);
  const change = (alter: (transaction: Transaction) => void) => {
    const transaction = read(psbt);
    alter(transaction);
    return signed(transaction);
  };
  const { amount = 0n } = read(psbt).getOutput(0);
  const last = read(psbt).outputsLength - 1;
  return {
    amount: change((copy) => copy.updateOutput(0, { amount: amount - 1n })),
    destination: change((copy) => copy.updateOutput(0, { script })),
    change: change((copy) => copy.updateOutput(last, { script })),
    pin: change((copy) => copy.updateInput(0, { index: 77 })),
    unsigned: psbt,
    nothing: base64.encode(Uint8Array.of(1, 2, 3)),
  };
}

/** Mines a transaction that spends the inputs of a PSBT to the first one's own address. */
export async function spendInputs({ node }: LitecoinChain, psbt: string): Promise<string> {
  const original = read(psbt);
  const other = new Transaction({ version: 2 });
  let spent = 0n;
  for (let index = 0; index < original.inputsLength; index += 1) {
    const input = original.getInput(index);
    other.addInput(input);
    spent += input.witnessUtxo?.amount ?? 0n;
  }
  const script = original.getInput(0).witnessUtxo?.script;
  if (script === undefined) throw new Error("The input has no script.");
  other.addOutput({ script, amount: spent - fee });
  sign(other);
  other.finalize();
  const address = await node.walletRpc<string>(miner, "getnewaddress");
  await node.rpc("generateblock", [address, [other.hex]]);
  return other.id;
}

function read(psbt: string): Transaction {
  return Transaction.fromPSBT(base64.decode(psbt), { allowUnknownOutputs: true });
}

function sign(transaction: Transaction): void {
  for (let index = 0; index < transaction.inputsLength; index += 1) {
    const [, derivation] = transaction.getInput(index).bip32Derivation?.[0] ?? [];
    const path = derivation?.path ?? [];
    const key = path.reduce((parent, child) => parent.deriveChild(child), account);
    if (key.privateKey === null) throw new Error("The signer has no private key.");
    transaction.signIdx(key.privateKey, index);
  }
}

function signed(transaction: Transaction): string {
  sign(transaction);
  return base64.encode(transaction.toPSBT());
}
