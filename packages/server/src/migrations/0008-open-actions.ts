import type { MigrationStep } from "#ports/db.ts";

/** Counts an account's open actions without reading the ones that have ended. */
export const openActions: MigrationStep = {
  name: "0008-open-actions",
  statements: () => [
    `create index work_open_actions on work (account_id, server_id)
       where kind = 'SERVER_ACTION' and state in ('OPEN', 'CLAIMED')`,
  ],
};
