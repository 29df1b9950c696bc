import type { MigrationStep } from "#ports/db.ts";

/** Catalogue, inventory, orders, servers, withdrawals and the work queue. */
export const rental: MigrationStep = {
  name: "0003-rental",
  statements: ({ integer, strict }) => [
    `create table catalogues (
       id ${integer} primary key,
       version ${integer} not null,
       document text not null,
       updated_at ${integer} not null,
       constraint catalogues_one check (id = 1)
     )${strict}`,
    `create table stock (
       config_id text not null,
       region_id text not null,
       free ${integer} not null,
       constraint stock_pkey primary key (config_id, region_id),
       constraint stock_free_not_negative check (free >= 0)
     )${strict}`,
    `create table machines (
       id text primary key,
       asset_tag text not null,
       config_id text not null,
       region_id text not null,
       state text not null,
       created_at ${integer} not null,
       constraint machines_state_known
         check (state in ('FREE', 'RESERVED', 'ASSIGNED', 'DIRTY', 'RETIRED')),
       constraint machines_asset_tag_unique unique (asset_tag)
     )${strict}`,
    "create index machines_by_offer on machines (config_id, region_id, state, id)",
    `create table subnets (
       id text primary key,
       region_id text not null,
       cidr text not null,
       family ${integer} not null,
       first_address text not null,
       last_address text not null,
       next_index ${integer} not null,
       created_at ${integer} not null,
       constraint subnets_family_known check (family in (4, 6)),
       constraint subnets_cidr_unique unique (cidr)
     )${strict}`,
    "create index subnets_by_region on subnets (region_id, family, id)",
    `create table address_families (
       family ${integer} primary key,
       constraint address_families_known check (family in (4, 6))
     )${strict}`,
    "insert into address_families values (4), (6)",
    `create table released_places (
       subnet_id text not null references subnets (id),
       place ${integer} not null,
       constraint released_places_pkey primary key (subnet_id, place)
     )${strict}`,
    `create table orders (
       id text primary key,
       account_id text not null references accounts (id),
       config_id text not null,
       region_id text not null,
       os_id text not null,
       term text not null,
       quantity ${integer} not null,
       total_cents ${integer} not null,
       ssh_public_key text,
       created_at ${integer} not null,
       constraint orders_term_known check (term in ('weekly', 'monthly')),
       constraint orders_quantity_bounded check (quantity between 1 and 20)
     )${strict}`,
    "create index orders_by_account on orders (account_id, created_at, id)",
    `create table servers (
       id text primary key,
       account_id text not null references accounts (id),
       order_id text not null references orders (id),
       config_id text not null,
       region_id text not null,
       os_id text not null,
       hostname text,
       state text not null,
       term text not null,
       price_cents ${integer} not null,
       paid_through ${integer},
       grace_until ${integer},
       auto_renew ${integer} not null,
       ddos_mode text not null,
       ddos_requested_mode text,
       ddos_quote_accepted ${integer} not null,
       machine_id text not null references machines (id),
       created_at ${integer} not null,
       constraint servers_state_known
         check (state in ('PROVISIONING', 'ACTIVE', 'GRACE', 'SUSPENDED', 'TERMINATED')),
       constraint servers_ddos_mode_known check (ddos_mode in ('BASELINE', 'ADVANCED')),
       constraint servers_ddos_requested_mode_known
         check (ddos_requested_mode is null or ddos_requested_mode in ('BASELINE', 'ADVANCED')),
       constraint servers_auto_renew_known check (auto_renew in (0, 1)),
       constraint servers_price_not_negative check (price_cents >= 0)
     )${strict}`,
    "create index servers_by_account on servers (account_id, created_at, id)",
    "create index servers_by_order on servers (order_id)",
    "create index servers_by_due on servers (state, paid_through)",
    "create unique index servers_one_living_per_machine on servers (machine_id) where state <> 'TERMINATED'",
    `create table assignments (
       id text primary key,
       account_id text not null references accounts (id),
       server_id text not null references servers (id),
       subnet_id text not null references subnets (id),
       address text not null,
       prefix_length ${integer} not null,
       family ${integer} not null,
       ptr text not null,
       created_at ${integer} not null,
       released_at ${integer}
     )${strict}`,
    "create index assignments_by_account on assignments (account_id, created_at, id)",
    "create index assignments_by_server on assignments (server_id)",
    "create index assignments_by_subnet on assignments (subnet_id, released_at)",
    "create unique index assignments_one_living_per_address on assignments (address) where released_at is null",
    `create table actions (
       id text primary key,
       account_id text not null references accounts (id),
       server_id text not null references servers (id),
       action text not null,
       iso_url text,
       created_at ${integer} not null
     )${strict}`,
    "create index actions_by_server on actions (server_id, created_at)",
    `create table ddos_requests (
       id text primary key,
       account_id text not null references accounts (id),
       server_id text not null references servers (id),
       mode text not null,
       quote_required ${integer} not null,
       created_at ${integer} not null,
       constraint ddos_requests_mode_known check (mode in ('BASELINE', 'ADVANCED'))
     )${strict}`,
    `create table withdrawals (
       id text primary key,
       account_id text not null references accounts (id),
       asset text not null,
       destination text not null,
       cents ${integer} not null,
       status text not null,
       transaction_id text,
       created_at ${integer} not null,
       resolved_at ${integer},
       constraint withdrawals_status_known check (status in ('PENDING_REVIEW', 'PAID', 'REJECTED')),
       constraint withdrawals_cents_positive check (cents > 0)
     )${strict}`,
    "create index withdrawals_by_account on withdrawals (account_id, created_at)",
    `create table work (
       id text primary key,
       kind text not null,
       state text not null,
       created_at ${integer} not null,
       claimed_by text,
       lease_until ${integer},
       account_id text not null references accounts (id),
       order_id text references orders (id),
       server_id text references servers (id),
       action_id text references actions (id),
       withdrawal_id text references withdrawals (id),
       ddos_request_id text references ddos_requests (id),
       detail text not null,
       approvals text not null,
       note text,
       outcome text,
       ended_at ${integer},
       constraint work_kind_known
         check (kind in ('PROVISION', 'SERVER_ACTION', 'WITHDRAWAL', 'DDOS', 'RECLAIM')),
       constraint work_state_known check (state in ('OPEN', 'CLAIMED', 'DONE', 'FAILED'))
     )${strict}`,
    "create index work_by_state on work (state, kind, created_at, id)",
    "create index work_by_server on work (server_id, kind, state)",
    `create unique index work_one_living_ddos_per_server on work (server_id)
       where kind = 'DDOS' and state in ('OPEN', 'CLAIMED')`,
    "create unique index work_one_per_withdrawal on work (withdrawal_id) where withdrawal_id is not null",
  ],
};
