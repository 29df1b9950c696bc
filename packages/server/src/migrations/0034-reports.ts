import type { MigrationStep } from "#ports/db.ts";

/** Indexes for reports: what delivered servers bring, and when servers were delivered and ended. */
export const reports: MigrationStep = {
  name: "0034-reports",
  statements: () => [
    `create index servers_recurring on servers (config_id, region_id, term, price_cents, ddos_cents)
       where state in ('ACTIVE', 'GRACE', 'SUSPENDED')`,
    "create index work_delivered on work (ended_at) where kind = 'PROVISION' and state = 'DONE'",
    "create index work_reclaims on work (created_at) where kind = 'RECLAIM'",
  ],
};
