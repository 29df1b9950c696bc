import type { LedgerEntry } from "@ironlease/client";

export type LedgerType = LedgerEntry["type"];

export const ledgerTypes: Readonly<Record<LedgerType, string>> = {
  DEPOSIT: "Deposit",
  ORDER_CHARGE: "Order",
  RENEWAL_CHARGE: "Renewal",
  DDOS_CHARGE: "DDoS protection",
  WITHDRAWAL_HOLD: "Withdrawal held",
  WITHDRAWAL_RELEASE: "Withdrawal released",
  WITHDRAWAL_PAID: "Withdrawal paid",
  REFUND: "Refund",
  ADJUSTMENT: "Adjustment",
};
