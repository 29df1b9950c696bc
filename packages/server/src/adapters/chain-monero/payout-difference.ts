import { hex } from "@scure/base";
import type { PayoutOrder, PreparedPayout } from "#ports/payouts.ts";
import { readAddress, type ViewKeys } from "./account-key.ts";
import type { MoneroNetwork } from "./networks.ts";
import { outputsTo, ownOutputs } from "./payment-outputs.ts";
import type { MoneroTransaction } from "./transaction.ts";

/** The wallet that pays. */
interface Payer {
  readonly keys: ViewKeys;
  readonly moneroNetwork: MoneroNetwork;
}

interface Compared {
  readonly transaction: MoneroTransaction;
  /** The secret keys of the transaction, as hexadecimal text. */
  readonly transactionKeys: readonly string[];
  readonly prepared: Pick<PreparedPayout, "feeUnits">;
  readonly order: Pick<PayoutOrder, "outputs">;
}

/** What the transaction does otherwise than the order. */
export function payoutDifference(
  { keys, moneroNetwork }: Payer,
  { transaction, transactionKeys, prepared, order }: Compared,
): string | undefined {
  if (transaction.unlockTime !== 0n) return "must not lock what it pays";
  if (transaction.feeUnits !== prepared.feeUnits) {
    return `must have the prepared fee of ${prepared.feeUnits} units, not ${transaction.feeUnits}`;
  }
  const secrets = transactionKeys.map((key) => hex.decode(key));
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
