import { base64 } from "@scure/base";
import type { PreparedPayout } from "#ports/payouts.ts";
import type { Result } from "#ports/result.ts";
import { coinsOf } from "./amounts.ts";
import { readPsbt, type PayoutChain } from "./payout-wallet.ts";
import { baseSize, conflict, inputSize, outputSize, prepared } from "./payout-transaction.ts";

/** Nodes accept a replacement only if it pays more than the first and for its own relay. */
const minRaise = 2n;

/** The same inputs and payments with at least double the fee, which the change pays. */
export function replacePayout(
  chain: PayoutChain,
  { unsigned, pins, feeUnits, change }: PreparedPayout,
  rate: number,
): Result<PreparedPayout> {
  const transaction = readPsbt(base64.decode(unsigned));
  let size = baseSize + pins.length * inputSize;
  for (let index = 0; index < transaction.outputsLength; index += 1) {
    size += outputSize + (transaction.getOutput(index).script?.length ?? 0);
  }
  const needed = BigInt(Math.ceil(rate * size));
  const fee = needed > feeUnits * minRaise ? needed : feeUnits * minRaise;
  const raise = fee - feeUnits;
  const left = (change?.amountUnits ?? 0n) - raise;
  if (change === undefined || left < chain.dustUnits) {
    return conflict(
      `The change of this payout is too small to raise its fee by ${coinsOf(raise)} ${chain.asset}.`,
    );
  }
  transaction.updateOutput(change.outputIndex, { amount: left });
  const raised = prepared(transaction, pins, chain, fee);
  return { ok: true, value: { ...raised.value, change: { ...change, amountUnits: left } } };
}
