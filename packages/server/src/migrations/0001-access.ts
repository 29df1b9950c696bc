import type { MigrationStep } from "#ports/db.ts";

/** Accounts, sessions, API keys, SSH keys and rate limits. */
export const access: MigrationStep = {
  name: "0001-access",
  statements: ({ integer, strict }) => [
    `create table accounts (
       id text primary key,
       username text not null,
       password_hash text not null,
       recovery_hash text not null,
       created_at ${integer} not null,
       constraint accounts_username_unique unique (username)
     )${strict}`,
    `create table sessions (
       id text primary key,
       account_id text not null references accounts (id),
       token_hash text not null,
       created_at ${integer} not null,
       last_seen_at ${integer} not null,
       ends_at ${integer} not null,
       ip_address text not null,
       user_agent text not null,
       constraint sessions_token_hash_unique unique (token_hash)
     )${strict}`,
    "create index sessions_by_account on sessions (account_id, created_at)",
    "create index sessions_by_last_seen on sessions (last_seen_at)",
    `create table api_keys (
       id text primary key,
       account_id text not null references accounts (id),
       name text not null,
       scope text not null,
       prefix text not null,
       token_hash text not null,
       created_at ${integer} not null,
       expires_at ${integer},
       last_used_at ${integer},
       constraint api_keys_scope_known check (scope in ('read', 'servers', 'billing')),
       constraint api_keys_token_hash_unique unique (token_hash)
     )${strict}`,
    "create index api_keys_by_account on api_keys (account_id, created_at)",
    `create table ssh_keys (
       id text primary key,
       account_id text not null references accounts (id),
       name text not null,
       public_key text not null,
       fingerprint text not null,
       created_at ${integer} not null
     )${strict}`,
    "create index ssh_keys_by_account on ssh_keys (account_id, created_at)",
    `create table rate_limits (
       key text primary key,
       count ${integer} not null,
       window_ends_at ${integer} not null,
       constraint rate_limits_count_not_negative check (count >= 0)
     )${strict}`,
    "create index rate_limits_by_end on rate_limits (window_ends_at)",
  ],
};
