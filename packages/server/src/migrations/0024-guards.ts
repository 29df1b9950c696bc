import type { MigrationStep } from "#ports/db.ts";

/**
 * Networks of API keys, saved withdrawal addresses, the withdrawal lock (a row while it is locked or an unlock is
 * requested), and what the request of an idempotency key created or changed.
 */
export const guards: MigrationStep = {
  name: "0024-guards",
  statements: ({ integer, strict }) => [
    "alter table api_keys add column allowed_networks text",
    "alter table idempotency_keys add column reference_id text",
    `create table withdrawal_addresses (
       id text primary key,
       account_id text not null references accounts (id),
       asset text not null,
       destination text not null,
       label text not null,
       created_at ${integer} not null,
       constraint withdrawal_addresses_account_id_asset_destination_unique
         unique (account_id, asset, destination)
     )${strict}`,
    "create index withdrawal_addresses_by_account on withdrawal_addresses (account_id, created_at, id)",
    `create table withdrawal_locks (
       account_id text primary key references accounts (id),
       unlocks_at ${integer}
     )${strict}`,
  ],
};
