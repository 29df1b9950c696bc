import type { MigrationStep, SqlDialect } from "#ports/db.ts";

/** Operators with their sessions and recovery codes, and the columns and indexes that the desk needs. */
export const operators: MigrationStep = {
  name: "0005-operators",
  statements: (dialect) => {
    const { integer, strict } = dialect;
    return [
      `create table operators (
         id text primary key,
         username text not null,
         password_hash text not null,
         role text not null,
         created_at ${integer} not null,
         disabled_at ${integer},
         totp_secret text,
         totp_pending text,
         totp_last_step ${integer} not null,
         constraint operators_role_known check (role in ('support', 'finance', 'admin')),
         constraint operators_username_unique unique (username)
       )${strict}`,
      `create table operator_sessions (
         id text primary key,
         operator_id text not null references operators (id),
         token_hash text not null,
         created_at ${integer} not null,
         last_seen_at ${integer} not null,
         ends_at ${integer} not null,
         ip_address text not null,
         user_agent text not null,
         constraint operator_sessions_token_hash_unique unique (token_hash)
       )${strict}`,
      "create index operator_sessions_by_operator on operator_sessions (operator_id, created_at)",
      "create index operator_sessions_by_last_seen on operator_sessions (last_seen_at)",
      `create table operator_recovery_codes (
         operator_id text not null references operators (id),
         code_hash text not null,
         constraint operator_recovery_codes_pkey primary key (operator_id, code_hash)
       )${strict}`,
      `alter table accounts add column frozen_at ${integer}`,
      `alter table servers add column ddos_quote_cents ${integer}`,
      `create index servers_by_renewal on servers (paid_through, id)
         where state in ('ACTIVE', 'GRACE', 'SUSPENDED')`,
      // Renewals are processed one account at a time, so a batch reads only that account's due servers.
      `create index servers_by_account_renewal on servers (account_id, paid_through, id)
         where state in ('ACTIVE', 'GRACE', 'SUSPENDED')`,
      "create index servers_by_machine on servers (machine_id)",
      "create index work_by_state_and_id on work (state, id)",
      "create index work_by_account on work (account_id, id)",
      "create index deposits_by_address on deposits (address)",
      "create index deposit_addresses_by_address on deposit_addresses (address)",
      "create index withdrawals_by_transaction on withdrawals (transaction_id)",
      "create index deposits_by_transaction on deposits (transaction_id)",
      // Audit pages are ordered by id, and ids sort by time.
      "drop index audit_by_time",
      "drop index audit_by_subject",
      "drop index audit_by_actor",
      "create index audit_by_subject on audit (subject, id)",
      "create index audit_by_actor on audit (actor, id)",
      "create index audit_by_action on audit (action, id)",
      ...keysOfAnyOwner(dialect),
    ];
  },
};

/** Operators have idempotency keys too, so the owner of a key is no longer always an account. */
function keysOfAnyOwner({ engine, integer, strict }: SqlDialect): readonly string[] {
  if (engine === "postgres") {
    return [
      "alter table idempotency_keys drop constraint idempotency_keys_account_id_fkey",
      "alter table idempotency_keys rename column account_id to owner_id",
    ];
  }
  return [
    `create table new_idempotency_keys (
       owner_id text not null,
       operation text not null,
       key text not null,
       request_hash text not null,
       status ${integer} not null,
       body text not null,
       created_at ${integer} not null,
       constraint idempotency_keys_pkey primary key (owner_id, operation, key)
     )${strict}`,
    "insert into new_idempotency_keys select * from idempotency_keys",
    "drop table idempotency_keys",
    "alter table new_idempotency_keys rename to idempotency_keys",
  ];
}
