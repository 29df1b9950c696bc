import type { MigrationStep, SqlDialect } from "#ports/db.ts";

/** Every column of a journal row that an earlier version has written. */
const writtenColumns = [
  "id",
  "created_at",
  "type",
  "cause",
  "from_account",
  "to_account",
  "amount_cents",
  "account_id",
  "sequence",
  "change_cents",
  "balance_after_cents",
  "held_after_cents",
  "description",
  "reference_kind",
  "reference_id",
];

/**
 * The hash of each journal row, and the head of each account's chain. Rows that exist get their hashes from a
 * background job, in small steps. SQLite reads a strict table once when it gets a column, which takes seconds for a
 * million rows. PostgreSQL does not.
 */
export const ledgerChain: MigrationStep = {
  name: "0025-ledger-chain",
  statements: (dialect) => [
    "alter table journal add column hash text",
    `alter table balances add column chained_entries ${dialect.integer} not null default 0`,
    "alter table balances add column head_hash text",
    ...hashOnce(dialect),
  ],
};

/** The journal stays append-only, except that a row without a hash gets one. */
function hashOnce({ engine }: SqlDialect): readonly string[] {
  const columns = writtenColumns.join(", ");
  if (engine === "sqlite") {
    const refuse = "begin select raise(abort, 'journal is append-only'); end";
    return [
      "drop trigger journal_no_update",
      `create trigger journal_no_update before update of ${columns} on journal ${refuse}`,
      `create trigger journal_hash_once before update of hash on journal
         when old.hash is not null or new.hash is null ${refuse}`,
    ];
  }
  const refuse = "execute function journal_is_append_only()";
  return [
    "drop trigger journal_no_update on journal",
    `create trigger journal_no_update before update of ${columns} on journal for each row ${refuse}`,
    `create trigger journal_hash_once before update of hash on journal for each row
       when (old.hash is not null or new.hash is null) ${refuse}`,
  ];
}
