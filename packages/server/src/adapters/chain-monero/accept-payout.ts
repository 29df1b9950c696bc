import { ok, refuseField } from "#kernel/result.ts";
import type { PayoutOrder, PreparedPayout, SignedPayout } from "#ports/payouts.ts";
import type { Result } from "#ports/result.ts";
import { payoutDifference } from "./payout-difference.ts";
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
  const difference = payoutDifference(chain, {
    transaction,
    transactionKeys: answer.transactionKeys,
    prepared,
    order,
  });
  if (difference !== undefined) return refuseField("signed", difference);
  const unknown = await learnKeyImages(chain, transaction, answer, signal);
  if (unknown !== undefined) return refuseField("signed", unknown);
  return ok({ transactionId: transaction.id, raw: answer.raw, pins: transaction.keyImages });
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
