import type { MigrationStep } from "#ports/db.ts";
import { appendOnly } from "./append-only.ts";

/** The daily trees over all balances. Signed roots stay for ever; the chunks that prove balances are deleted in time. */
export const liabilities: MigrationStep = {
  name: "0027-liabilities",
  statements: (dialect) => {
    const { integer, strict } = dialect;
    return [
      `create table liability_trees (
         date text primary key,
         created_at ${integer} not null,
         root_hash text not null,
         total_cents ${integer} not null,
         accounts ${integer} not null,
         secret text not null,
         key_id text not null references statement_keys (key_id),
         signature text not null
       )${strict}`,
      ...appendOnly("liability_trees", dialect),
      `create table liability_chunks (
         date text not null references liability_trees (date),
         level ${integer} not null,
         first_account text not null,
         position ${integer} not null,
         nodes text not null,
         constraint liability_chunks_pkey primary key (date, level, first_account)
       )${strict}`,
      ...appendOnly("liability_chunks", dialect, ["update"]),
    ];
  },
};
