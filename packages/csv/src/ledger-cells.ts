/** An entry of the ledger in double entry, as `GET /operator/v1/reports/ledger` answers. */
export interface LedgerRow {
  readonly at: string;
  readonly id: string;
  readonly debitAccount: string;
  readonly creditAccount: string;
  readonly amountUsd: number;
  readonly type: string;
  readonly reference: string;
}

export const ledgerHeader: readonly string[] = [
  "date",
  "entry_id",
  "debit_account",
  "credit_account",
  "amount_usd",
  "type",
  "reference",
];

/** The cells of an entry. None can hold a formula: the service writes all of them. */
export function ledgerCells(row: LedgerRow): readonly string[] {
  const { at, id, debitAccount, creditAccount, amountUsd, type, reference } = row;
  return [at, id, debitAccount, creditAccount, amountUsd.toFixed(2), type, reference];
}
