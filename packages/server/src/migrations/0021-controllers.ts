import type { MigrationStep } from "#ports/db.ts";

/**
 * Management controllers of machines, and the runs that operators start on them. A machine has one living run. RUNNING
 * is committed before the controller is called, and the evidence grows with each exchange.
 */
export const controllers: MigrationStep = {
  name: "0021-controllers",
  statements: ({ integer, strict }) => [
    `create table controllers (
       machine_id text primary key references machines (id),
       driver text not null,
       address text not null,
       username text not null,
       credential text not null,
       certificate_sha256 text,
       power text,
       power_seen_at ${integer},
       constraint controllers_driver_known check (driver in ('redfish', 'ipmi')),
       constraint controllers_power_known check (power in ('ON', 'OFF')),
       constraint controllers_power_has_time check ((power is null) = (power_seen_at is null))
     )${strict}`,
    `create table hardware_runs (
       id text primary key,
       work_id text not null references work (id),
       machine_id text not null references machines (id),
       operator_id text not null references operators (id),
       program text not null,
       step text,
       state text not null,
       created_at ${integer} not null,
       started_at ${integer},
       ended_at ${integer},
       lease_until ${integer},
       constraint hardware_runs_state_known check (state in
         ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'UNKNOWN')),
       constraint hardware_runs_ended_once
         check ((state in ('SUCCEEDED', 'FAILED', 'UNKNOWN')) = (ended_at is not null)),
       constraint hardware_runs_lease_while_living
         check ((state in ('QUEUED', 'RUNNING')) = (lease_until is not null)),
       constraint hardware_runs_started_fits check (
         (state <> 'QUEUED' or started_at is null)
         and (state not in ('RUNNING', 'SUCCEEDED', 'UNKNOWN') or started_at is not null))
     )${strict}`,
    "create index hardware_runs_by_work on hardware_runs (work_id, id)",
    `create unique index hardware_runs_machine_id_unique on hardware_runs (machine_id)
       where state in ('QUEUED', 'RUNNING')`,
    "create index hardware_runs_queued on hardware_runs (id) where state = 'QUEUED'",
    "create index hardware_runs_lapsing on hardware_runs (lease_until) where lease_until is not null",
    `create table hardware_evidence (
       run_id text not null references hardware_runs (id),
       position ${integer} not null,
       at ${integer} not null,
       request text not null,
       answer text not null,
       observed text,
       constraint hardware_evidence_pkey primary key (run_id, position)
     )${strict}`,
  ],
};
