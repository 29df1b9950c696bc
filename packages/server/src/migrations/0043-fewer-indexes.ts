import type { MigrationStep } from "#ports/db.ts";

/** `work_by_server_and_id` finds the same few rows of a server, and every order had to write both indexes. */
export const fewerIndexes: MigrationStep = {
  name: "0043-fewer-indexes",
  statements: () => ["drop index work_by_server"],
};
