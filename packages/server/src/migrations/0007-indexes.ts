import type { MigrationStep } from "#ports/db.ts";

/** Indexes by which nothing is looked through that grows. */
export const indexes: MigrationStep = {
  name: "0007-indexes",
  statements: () => [
    // It led SQLite to sort everything that is due for each batch of renewals.
    "drop index servers_by_due",
    // The state too: how many servers are in each is counted along it.
    "drop index servers_by_order",
    "create index servers_by_order on servers (order_id, state)",
    // Without it, all deposits are looked through when an address that was never given out is removed.
    "create index deposits_by_address_id on deposits (address_id)",
  ],
};
