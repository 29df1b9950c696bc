import { secp256k1 } from "@noble/curves/secp256k1.js";
import { base64, hex } from "@scure/base";
import { p2pkh, p2wpkh } from "@scure/btc-signer/payment.js";
import type { Transaction } from "@scure/btc-signer/transaction.js";
import type { PreparedPayout, SignedPayout } from "#ports/payouts.ts";
import type { Result } from "#ports/result.ts";
import { readPsbt } from "./payout-wallet.ts";

/** Signs every input and every output, so that nothing can be changed afterwards. */
const sighashAll = 1;

/** Takes the signatures, and nothing else, from what the signer returned. */
export function acceptPayout(
  { unsigned, transactionId }: PreparedPayout,
  signed: string,
): Result<SignedPayout> {
  let returned: Transaction;
  try {
    returned = readPsbt(base64.decode(signed));
  } catch {
    return refuse("must be a PSBT in base64");
  }
  const transaction = readPsbt(base64.decode(unsigned));
  const difference = differenceOf(transaction, returned);
  if (difference !== undefined) return refuse(difference);

  for (let index = 0; index < transaction.inputsLength; index += 1) {
    const witness = witnessOf(returned, index);
    if (witness === undefined) return refuse(`does not sign input ${index}`);
    if (!isValid(transaction, index, witness)) {
      return refuse(`has an invalid signature for input ${index}, or not one of type ALL`);
    }
    transaction.updateInput(index, { finalScriptWitness: [...witness] }, true);
  }
  const raw = hex.encode(transaction.toBytes(true, true));
  if (transaction.id !== transactionId) throw new Error("signing changed the transaction's id");
  return { ok: true, value: { transactionId: transaction.id, raw } };
}

function refuse(message: string): Result<never> {
  return {
    ok: false,
    refusal: { code: "validation_failed", fields: [{ field: "signed", message }] },
  };
}

/** What an operator should look for. Equal unsigned bytes are the same inputs, outputs, sequences and lock time. */
function differenceOf(prepared: Transaction, returned: Transaction): string | undefined {
  const same = hex.encode(prepared.unsignedTx) === hex.encode(returned.unsignedTx);
  if (same) return undefined;
  if (outputsOf(prepared) !== outputsOf(returned)) {
    return "pays other amounts or destinations than the prepared transaction";
  }
  return inputsOf(prepared) === inputsOf(returned)
    ? "has another version or lock time than the prepared transaction"
    : "spends other inputs than the prepared transaction";
}

function outputsOf(transaction: Transaction): string {
  return Array.from({ length: transaction.outputsLength }, (_, index) => {
    const { script, amount } = transaction.getOutput(index);
    return `${hex.encode(script ?? new Uint8Array())}:${amount}`;
  }).join();
}

function inputsOf(transaction: Transaction): string {
  return Array.from({ length: transaction.inputsLength }, (_, index) => {
    const { txid, index: vout, sequence } = transaction.getInput(index);
    return `${hex.encode(txid ?? new Uint8Array())}:${vout}:${sequence}`;
  }).join();
}

type Witness = readonly [signature: Uint8Array, publicKey: Uint8Array];

/** Signers return a final witness or a partial signature. */
function witnessOf(returned: Transaction, index: number): Witness | undefined {
  const { finalScriptWitness, partialSig } = returned.getInput(index);
  const [publicKey, signature] = partialSig?.[0] ?? [];
  const [first, second, ...more] = finalScriptWitness ?? [];
  if (first !== undefined && second !== undefined && more.length === 0) return [first, second];
  return signature !== undefined && publicKey !== undefined ? [signature, publicKey] : undefined;
}

function isValid(transaction: Transaction, index: number, [signature, key]: Witness): boolean {
  const spent = transaction.getInput(index).witnessUtxo;
  if (spent === undefined || signature.at(-1) !== sighashAll) return false;
  try {
    if (hex.encode(p2wpkh(key).script) !== hex.encode(spent.script)) return false;
    const message = transaction.preimageWitnessV0(
      index,
      p2pkh(key).script,
      sighashAll,
      spent.amount,
    );
    return secp256k1.verify(signature.slice(0, -1), message, key, {
      prehash: false,
      format: "der",
      lowS: true,
    });
  } catch {
    // Not a key or not a signature.
    return false;
  }
}
