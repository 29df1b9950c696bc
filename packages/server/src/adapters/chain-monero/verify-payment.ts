import { hex } from "@scure/base";
import type { PayoutEvidence, PayoutPayment } from "#ports/payouts.ts";
import { SettlementUnavailable } from "#ports/settlement.ts";
import { readAddress } from "./account-key.ts";
import { coinsOf } from "./amounts.ts";
import { checkChain } from "./check-chain.ts";
import { outputsTo } from "./payment-outputs.ts";
import type { PayoutChain } from "./payout-wallet.ts";
import { readTransactionKeys } from "./signer-answer.ts";
import { readTransaction } from "./transaction.ts";
import { isLocked } from "./unlock-time.ts";

const idPattern = /^[0-9a-f]{64}$/;

/**
 * Whether a transaction pays at least this amount to the destination. Only its sender and its receiver can tell, so the
 * evidence is the id, a colon and the transaction's secret key.
 */
export async function verifyPayment(
  chain: PayoutChain,
  given: string,
  { destination, amountUnits }: PayoutPayment,
  signal: AbortSignal,
): Promise<PayoutEvidence> {
  const { network, moneroNetwork, daemon } = chain;
  const [id = "", keyText, ...rest] = given.toLowerCase().split(":");
  if (!idPattern.test(id) || rest.length > 0) return { kind: "UNKNOWN" };
  const address = readAddress(destination, moneroNetwork);
  if (address === undefined) {
    return { kind: "NOT_PAID", reason: `${destination} is not an address of ${network}.` };
  }
  const info = await checkChain(chain, signal);
  const found = (await daemon.transactions([id], signal)).get(id);
  if (found === undefined) return { kind: "UNKNOWN" };
  if (keyText === undefined) {
    throw new SettlementUnavailable(
      `${network} hides what transaction ${id} pays. Send the id, a colon and the transaction key, which get_tx_key of the paying wallet tells`,
    );
  }
  const keys = readTransactionKeys(keyText);
  if (keys === undefined) {
    return { kind: "NOT_PAID", reason: "The transaction key is not 64 hexadecimal digits." };
  }
  const transaction = readTransaction(found.pruned);
  const secrets = keys.map((key) => hex.decode(key));
  const outputs = transaction === undefined ? [] : outputsTo(address, transaction, secrets);
  const paid = outputs.reduce((sum, output) => sum + output.amountUnits, 0n);
  if (paid === 0n) {
    const reason = `With this key, transaction ${id} pays nothing to ${destination} on ${network}.`;
    return { kind: "NOT_PAID", reason };
  }
  if (paid < amountUnits) {
    const reason = `Transaction ${id} pays ${coinsOf(paid)} to ${destination}, but the withdrawal is ${coinsOf(amountUnits)}.`;
    return { kind: "NOT_PAID", reason };
  }
  if (isLocked(found.unlockTime, info)) {
    return { kind: "NOT_PAID", reason: `Transaction ${id} locks what it pays.` };
  }
  const confirmations = found.height === undefined ? 0 : info.tip.height - found.height + 1;
  return {
    kind: "PAID",
    transactionId: id,
    confirmations: Math.max(0, confirmations),
    ...(transaction !== undefined && { feeUnits: transaction.feeUnits }),
  };
}
