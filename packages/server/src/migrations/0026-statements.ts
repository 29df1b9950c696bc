import type { MigrationStep } from "#ports/db.ts";
import { appendOnly } from "./append-only.ts";

/** The public keys of all statements that were ever signed. */
export const statements: MigrationStep = {
  name: "0026-statements",
  statements: (dialect) => {
    const { integer, strict } = dialect;
    return [
      `create table statement_keys (
         key_id text primary key,
         public_key text not null,
         created_at ${integer} not null
       )${strict}`,
      ...appendOnly("statement_keys", dialect),
    ];
  },
};
