import { base64 } from "@scure/base";
import type { Transaction } from "@scure/btc-signer/transaction.js";
import type { PreparedPayout } from "#ports/payouts.ts";
import type { Result } from "#ports/result.ts";
import type { PayoutChain } from "./payout-wallet.ts";

/** In virtual bytes: everything but inputs and outputs, one signed input, one output without its script. */
export const [baseSize, inputSize, outputSize] = [11, 68, 9];

export function prepared(
  transaction: Transaction,
  pins: readonly string[],
  { asset }: PayoutChain,
  feeUnits: bigint,
) {
  const value: PreparedPayout = {
    unsigned: base64.encode(transaction.toPSBT()),
    pins,
    feeUnits,
    feeAsset: asset,
    transactionId: transaction.id,
  };
  return { ok: true, value } as const;
}

export function conflict(message: string): Result<never> {
  return { ok: false, refusal: { code: "conflict", message } };
}
