import type { MigrationStep } from "#ports/db.ts";

/** Passkeys of accounts and operators, and the challenges that a browser has not answered yet. */
export const passkeys: MigrationStep = {
  name: "0029-passkeys",
  statements: ({ integer, strict }) => [
    `create table passkeys (
       id text primary key,
       account_id text references accounts (id),
       operator_id text references operators (id),
       name text not null,
       credential_id text not null,
       public_key text not null,
       counter ${integer} not null,
       transports text not null,
       backed_up ${integer} not null,
       created_at ${integer} not null,
       last_used_at ${integer},
       constraint passkeys_credential_id_unique unique (credential_id),
       constraint passkeys_one_owner check ((account_id is null) <> (operator_id is null)),
       constraint passkeys_name_bounded check (length(name) between 1 and 64),
       constraint passkeys_counter_not_negative check (counter >= 0),
       constraint passkeys_backed_up_known check (backed_up in (0, 1))
     )${strict}`,
    "create index passkeys_by_account on passkeys (account_id, created_at, id)",
    "create index passkeys_by_operator on passkeys (operator_id, created_at, id)",
    `create table passkey_challenges (
       challenge_hash text primary key,
       purpose text not null,
       expires_at ${integer} not null
     )${strict}`,
    "create index passkey_challenges_by_purpose on passkey_challenges (purpose)",
    "create index passkey_challenges_by_expiry on passkey_challenges (expires_at)",
  ],
};
