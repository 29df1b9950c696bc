import type { MigrationStep } from "#ports/db.ts";

/**
 * Where a machine is, what identifies it, and why it is kept out of sale. A retired machine has left its rack, so its
 * unit is free. Orders take machines from the index of those for sale. Two other indexes find the servers and the runs of one machine for its history.
 */
export const machineRecords: MigrationStep = {
  name: "0022-machine-records",
  statements: ({ integer, strict }) => [
    "alter table machines add column rack text",
    `alter table machines add column unit ${integer}
       constraint machines_unit_in_rack check (unit is null or (unit > 0 and rack is not null))`,
    "alter table machines add column serial_number text",
    "alter table machines add column switch_port text",
    "alter table machines add column notes text",
    "alter table machines add column keep_out_reason text",
    "create unique index machines_serial_number_unique on machines (serial_number)",
    `create unique index machines_region_id_rack_unit_unique on machines (region_id, rack, unit)
       where unit is not null and state <> 'RETIRED'`,
    `create index machines_for_sale on machines (config_id, region_id, id)
       where state = 'FREE' and keep_out_reason is null`,
    `create table machine_macs (
       mac text not null,
       machine_id text not null references machines (id),
       position ${integer} not null,
       constraint machine_macs_pkey primary key (machine_id, position),
       constraint machine_macs_mac_unique unique (mac)
     )${strict}`,
    "drop index servers_by_machine",
    "create index servers_by_machine on servers (machine_id, id)",
    "create index hardware_runs_by_machine on hardware_runs (machine_id, id)",
  ],
};
