import { limits } from "@ironlease/contract";
import type { Core } from "../../kernel/core.ts";
import type { Asset, SettlementMode } from "../../ports/settlement.ts";
import { coinAmount } from "./coin-amount.ts";

export interface DepositRecord {
  readonly id: string;
  readonly asset: Asset;
  readonly network: string;
  readonly mode: SettlementMode;
  readonly address: string;
  readonly transactionId: string;
  /** A decimal string at the asset's full precision. */
  readonly amount: string;
  readonly usdCents: number | null;
  readonly confirmations: number;
  readonly confirmationsRequired: number;
  readonly state: "CONFIRMING" | "CREDITED";
  readonly seenAt: number;
  readonly creditedAt: number | null;
}

/** What was paid to the account's addresses: the latest, the newest first. */
export async function listDeposits(
  core: Core,
  accountId: string,
): Promise<readonly DepositRecord[]> {
  const rows = await core.db.read
    .selectFrom("deposits")
    .select([
      "id",
      "asset",
      "network",
      "mode",
      "address",
      "transaction_id as transactionId",
      "amount_units",
      "amount_decimals",
      "usd_cents as usdCents",
      "confirmations",
      "credited_confirmations",
      "confirmations_required as confirmationsRequired",
      "state",
      "seen_at as seenAt",
      "credited_at as creditedAt",
    ])
    .where("account_id", "=", accountId)
    .orderBy("seen_at", "desc")
    .orderBy("id", "desc")
    .limit(limits.listLength)
    .execute();
  return rows.map(({ amount_units, amount_decimals, credited_confirmations, ...row }) => ({
    ...row,
    // What was credited had its confirmations; that a network lost it since is the operator's affair.
    confirmations: Math.max(row.confirmations, credited_confirmations ?? 0),
    asset: row.asset as Asset,
    mode: row.mode as SettlementMode,
    amount: coinAmount(BigInt(amount_units), amount_decimals),
  }));
}
