import type { MigrationStep } from "#ports/db.ts";

/** The networks that an operator may work from, and an index that finds the admins who can sign in. */
export const operatorNetworks: MigrationStep = {
  name: "0033-operator-networks",
  statements: () => [
    "alter table operators add column allowed_networks text",
    `create index operators_enabled_admins on operators (id)
       where role = 'admin' and disabled_at is null`,
  ],
};
