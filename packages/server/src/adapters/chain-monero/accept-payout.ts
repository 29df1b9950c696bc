import { hex } from "@scure/base";
import { ok, refuseField } from "#kernel/result.ts";
import type { PayoutOrder, PreparedPayout, SignedPayout } from "#ports/payouts.ts";
import type { Result } from "#ports/result.ts";
import { readAddress } from "./account-key.ts";
import { outputsTo, ownOutputs } from "./payment-outputs.ts";
import type { PayoutChain } from "./payout-wallet.ts";
import { RpcRefusal } from "./rpc.ts";
import { readSignerAnswer, type SignerAnswer } from "./signer-answer.ts";
import { readTransaction, type MoneroTransaction } from "./transaction.ts";

/**
 * Reads what the offline wallet answered. Every output must pay the order or return to the wallet, which the
 * transaction's own keys and the view key prove, and the wallet must know the key images of what it spends.
 */
export async function acceptPayout(
  chain: PayoutChain,
  prepared: PreparedPayout,
  signed: string,
  order: PayoutOrder,
  signal: AbortSignal,
): Promise<Result<SignedPayout>> {
  const answer = readSignerAnswer(signed);
  if (typeof answer === "string") return refuseField("signed", answer);
  const transaction = readTransaction(answer.raw);
  if (transaction?.id === undefined || transaction.id !== answer.transactionId) {
    return refuseField("signed", "must contain a signed transaction and its id");
  }
  const difference = differenceOf(chain, { transaction, answer, prepared, order });
  if (difference !== undefined) return refuseField("signed", difference);
  const unknown = await learnKeyImages(chain, transaction, answer, signal);
  if (unknown !== undefined) return refuseField("signed", unknown);
  return ok({ transactionId: transaction.id, raw: answer.raw, pins: transaction.keyImages });
}

interface Compared {
  readonly transaction: MoneroTransaction;
  readonly answer: SignerAnswer;
  readonly prepared: PreparedPayout;
  readonly order: PayoutOrder;
}

/** What the transaction does otherwise than the order. */
function differenceOf(
  { keys, moneroNetwork }: PayoutChain,
  { transaction, answer, prepared, order }: Compared,
): string | undefined {
  if (transaction.unlockTime !== 0n) return "must not lock what it pays";
  if (transaction.feeUnits !== prepared.feeUnits) {
    return `must have the prepared fee of ${prepared.feeUnits} units, not ${transaction.feeUnits}`;
  }
  const secrets = answer.transactionKeys.map((key) => hex.decode(key));
  const explained = new Set<number>();
  for (const { destination, amountUnits } of order.outputs) {
    const address = readAddress(destination, moneroNetwork);
    const paid = address === undefined ? [] : outputsTo(address, transaction, secrets);
    const output = paid.find((one) => one.amountUnits === amountUnits && !explained.has(one.index));
    if (output === undefined) return `must pay ${amountUnits} units to ${destination}`;
    explained.add(output.index);
  }
  for (const { index } of ownOutputs(keys, transaction)) explained.add(index);
  return explained.size === transaction.outputs.length
    ? undefined
    : "must pay nothing but the order and the change to the wallet";
}

/**
 * Gives the wallet the key images that it did not know. Without those of the transaction it would not notice that the
 * transaction spends its outputs. Resolves to what is wrong.
 */
async function learnKeyImages(
  { wallet, payoutWallet }: PayoutChain,
  { keyImages }: MoneroTransaction,
  { signedKeyImages }: SignerAnswer,
  signal: AbortSignal,
): Promise<string | undefined> {
  await wallet.open(signal);
  if (signedKeyImages.images.length > 0) {
    try {
      await payoutWallet.importKeyImages(signedKeyImages, signal);
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
      return `contains key images that the wallet refuses: ${error.message}`;
    }
  }
  const known = await payoutWallet.keyImages(signal);
  return keyImages.every((keyImage) => known.has(keyImage))
    ? undefined
    : "must contain the key images of what it spends: add the answer of export_key_images";
}
