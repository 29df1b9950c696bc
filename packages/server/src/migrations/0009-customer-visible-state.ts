import type { MigrationStep } from "../ports/db.ts";

/** What customers read since then: their deposit addresses, and why an account or a server is stopped. */
export const customerVisibleState: MigrationStep = {
  name: "0009-customer-visible-state",
  statements: () => [
    "create index deposit_addresses_by_account on deposit_addresses (account_id, id)",
  ],
};
