import type { MigrationStep } from "#ports/db.ts";

/**
 * Real chains: derivation indexes that the service counts itself, the block of each deposit, and how far each chain
 * was scanned. Deposits that are credited already count as final.
 */
export const chains: MigrationStep = {
  name: "0010-chains",
  statements: ({ integer, strict }) => [
    `create table keychains (
       id text primary key,
       network text not null,
       public_key text not null,
       next_index ${integer} not null,
       created_at ${integer} not null,
       constraint keychains_network_public_key_unique unique (network, public_key)
     )${strict}`,
    "alter table deposit_addresses add column keychain_id text references keychains (id)",
    `alter table deposit_addresses add column derivation_index ${integer}`,
    `create unique index deposit_addresses_keychain_id_derivation_index_unique
       on deposit_addresses (keychain_id, derivation_index)`,
    "alter table deposits add column block_hash text",
    `alter table deposits add column block_height ${integer}`,
    `alter table deposits add column is_locked ${integer} not null default 0`,
    `alter table deposits add column is_final ${integer} not null default 0`,
    `alter table deposits add column lost_at ${integer}`,
    "alter table deposits add column rate_sources text",
    "update deposits set is_final = 1 where state = 'CREDITED'",
    "create index deposits_not_final on deposits (network, id) where is_final = 0",
    "create index deposits_lost on deposits (lost_at) where lost_at is not null",
    `alter table settlement_cursors add column height ${integer}`,
    "alter table settlement_cursors add column hash text",
    "update settlement_cursors set height = cast(cursor as integer), hash = ''",
    "alter table settlement_cursors drop column cursor",
    `alter table settlement_cursors add column scanned_at ${integer}`,
    "alter table settlement_cursors add column lease_by text",
    `alter table settlement_cursors add column lease_until ${integer}`,
    "drop table simulated_addresses",
  ],
};
