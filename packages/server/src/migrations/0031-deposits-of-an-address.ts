import type { MigrationStep } from "#ports/db.ts";

/** In order of time, so that the latest payments to an address need no sorting. */
export const depositsOfAnAddress: MigrationStep = {
  name: "0031-deposits-of-an-address",
  statements: () => [
    "drop index deposits_by_address_id",
    "create index deposits_by_address_id on deposits (address_id, seen_at, id)",
  ],
};
