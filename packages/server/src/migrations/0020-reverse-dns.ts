import type { MigrationStep } from "#ports/db.ts";

/**
 * Published reverse DNS. The settings stay in `assignments`. These tables record what was published, what the name
 * servers answered, and records in our networks that the service did not publish.
 */
export const reverseDns: MigrationStep = {
  name: "0020-reverse-dns",
  statements: ({ integer, strict }) => [
    "alter table subnets add column reverse_zone text",
    `create table reverse_zones (
       zone text primary key,
       may_create ${integer} not null,
       state text not null,
       error text,
       compared_at ${integer} not null,
       constraint reverse_zones_state_known
         check (state in ('UNKNOWN', 'PRESENT', 'ABSENT', 'FAILED')),
       constraint reverse_zones_may_create_known check (may_create in (0, 1)),
       constraint reverse_zones_error_fits check ((state = 'FAILED') = (error is not null))
     )${strict}`,
    "create index reverse_zones_by_comparison on reverse_zones (compared_at, zone)",
    `create table published_ptrs (
       address text primary key,
       name text not null,
       zone text not null references reverse_zones (zone),
       state text not null,
       published text not null,
       attempted text,
       answered text not null,
       seen_at ${integer},
       published_at ${integer},
       error text,
       failures ${integer} not null,
       due_at ${integer} not null,
       changed_at ${integer} not null,
       revision ${integer} not null,
       constraint published_ptrs_state_known check (state in ('PENDING', 'PUBLISHED', 'FAILED')),
       constraint published_ptrs_error_fits check ((state = 'FAILED') = (error is not null)),
       constraint published_ptrs_seen check (state <> 'PUBLISHED' or seen_at is not null),
       constraint published_ptrs_name_unique unique (name)
     )${strict}`,
    "create index published_ptrs_by_zone on published_ptrs (zone, address)",
    `create index published_ptrs_due on published_ptrs (due_at, address)
       where state <> 'PUBLISHED'`,
    `create index published_ptrs_unpublished on published_ptrs (state, changed_at)
       where state <> 'PUBLISHED'`,
    `create table foreign_ptrs (
       name text primary key,
       zone text not null references reverse_zones (zone),
       ptr text not null,
       seen_at ${integer} not null
     )${strict}`,
    "create index foreign_ptrs_by_zone on foreign_ptrs (zone, name)",
    `create table reverse_dns_state (
       id ${integer} primary key,
       lease_by text,
       lease_until ${integer},
       discovered_at ${integer} not null,
       checked_at ${integer},
       error text,
       constraint reverse_dns_state_one check (id = 1)
     )${strict}`,
    "insert into reverse_dns_state values (1, null, null, 0, null, null)",
  ],
};
