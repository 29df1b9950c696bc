import type { Asset } from "#ports/settlement.ts";

/** A payment that had enough confirmations when it was read. */
export interface DueDeposit {
  readonly id: string;
  readonly accountId: string;
  readonly asset: Asset;
  readonly network: string;
  readonly transactionId: string;
  readonly outputIndex: number;
  readonly amountUnits: bigint;
  readonly decimals: number;
}
