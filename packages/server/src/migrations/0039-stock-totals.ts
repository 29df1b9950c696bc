import type { MigrationStep } from "#ports/db.ts";

/**
 * Counts each offer's machines and sold servers in its stock row, which orders and imports write anyway. With indexes
 * of the machines and servers in passing states, the overview derives the large counts without reading every row.
 */
export const stockTotals: MigrationStep = {
  name: "0039-stock-totals",
  statements: ({ integer }) => [
    `alter table stock add column machines ${integer} not null default 0`,
    `alter table stock add column servers ${integer} not null default 0`,
    `insert into stock (config_id, region_id, free)
       select distinct config_id, region_id, 0 from machines where true
       on conflict (config_id, region_id) do nothing`,
    `update stock set
       machines = (select count(*) from machines
         where machines.config_id = stock.config_id and machines.region_id = stock.region_id),
       servers = (select count(*) from servers
         where servers.config_id = stock.config_id and servers.region_id = stock.region_id)`,
    `create index machines_out_of_use on machines (state)
       where state in ('RESERVED', 'DIRTY', 'RETIRED')`,
    `create index machines_kept_out on machines (state) where keep_out_reason is not null`,
    `create index servers_in_passing on servers (state)
       where state in ('PROVISIONING', 'GRACE', 'SUSPENDED')`,
  ],
};
