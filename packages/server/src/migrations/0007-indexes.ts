import type { MigrationStep } from "#ports/db.ts";

/** Changes indexes so that no query scans or sorts a growing table. */
export const indexes: MigrationStep = {
  name: "0007-indexes",
  statements: () => [
    // SQLite chose this index and then sorted all due servers for each batch of renewals.
    "drop index servers_by_due",
    // Includes the state, so that an order's servers are counted by state from the index.
    "drop index servers_by_order",
    "create index servers_by_order on servers (order_id, state)",
    // Without it, the foreign key check scans all deposits when an unissued address is deleted.
    "create index deposits_by_address_id on deposits (address_id)",
  ],
};
