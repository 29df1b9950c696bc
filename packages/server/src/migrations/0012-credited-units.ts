import type { MigrationStep } from "#ports/db.ts";

/** The desk shows the sum of all credited units of an asset. This index contains all that the sum reads. */
export const creditedUnits: MigrationStep = {
  name: "0012-credited-units",
  statements: () => [
    `create index deposits_credited on deposits (network, asset, amount_units)
       where state = 'CREDITED'`,
  ],
};
