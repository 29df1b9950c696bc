import type { MigrationStep } from "#ports/db.ts";

/** Indexes that read a page of an account's ledger by type, or about one server, order, deposit or withdrawal. */
export const ledgerFilters: MigrationStep = {
  name: "0032-ledger-filters",
  statements: () => [
    "create index journal_by_type on journal (account_id, type, sequence)",
    "create index journal_by_reference on journal (account_id, reference_id, sequence)",
  ],
};
