import type { MigrationStep } from "#ports/db.ts";

/**
 * Addresses that a claimed PROVISION item has reserved until it ends: a reserved place is neither unused nor released,
 * so nothing else can take it. Checklists that an admin has changed, and the ticked lines of work items.
 */
export const delivery: MigrationStep = {
  name: "0023-delivery",
  statements: ({ integer, strict }) => [
    `create table address_reservations (
       work_id text not null references work (id),
       family ${integer} not null,
       subnet_id text not null references subnets (id),
       place ${integer} not null,
       constraint address_reservations_pkey primary key (work_id, family),
       constraint address_reservations_subnet_id_place_unique unique (subnet_id, place)
     )${strict}`,
    `alter table subnets add column gateway text
       constraint subnets_gateway_of_ipv6 check (gateway is null or family = 6)`,
    `alter table subnets add column vlan ${integer}
       constraint subnets_vlan_known check (vlan is null or vlan between 1 and 4094)`,
    `create table checklists (
       kind text primary key,
       lines text not null,
       changed_by text not null,
       changed_at ${integer} not null
     )${strict}`,
    "alter table work add column ticks text not null default '[]'",
  ],
};
