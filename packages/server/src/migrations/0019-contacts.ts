import type { MigrationStep } from "#ports/db.ts";

/**
 * Where an account wants its e-mail, the mails that wait to be sent, and the networks from which an account has signed
 * in. A new address is `pending_email` until its code is confirmed, and the old one stays in use until then.
 */
export const contacts: MigrationStep = {
  name: "0019-contacts",
  statements: ({ integer, strict }) => [
    `create table contacts (
       account_id text primary key references accounts (id),
       email text,
       confirmed_at ${integer},
       refused_at ${integer},
       pending_email text,
       code_hash text,
       code_expires_at ${integer},
       unsubscribed text not null,
       constraint contacts_confirmed_together check ((email is null) = (confirmed_at is null)),
       constraint contacts_refused_email check (refused_at is null or email is not null),
       constraint contacts_pending_together check (
         (pending_email is null) = (code_hash is null) and (code_hash is null) = (code_expires_at is null)
       ),
       constraint contacts_email_bounded check (length(email) <= 254 and length(pending_email) <= 254)
     )${strict}`,
    `create table mails (
       id text primary key,
       account_id text not null references accounts (id),
       kind text not null,
       topic text not null,
       detail text not null,
       recipient text not null,
       state text not null,
       attempts ${integer} not null,
       created_at ${integer} not null,
       next_attempt_at ${integer} not null,
       constraint mails_kind_known check (
         kind in ('CONFIRMATION', 'SECURITY', 'SERVERS', 'WITHDRAWALS', 'SIGN_INS', 'MESSAGES')
       ),
       constraint mails_state_known check (state in ('WAITING', 'SENT', 'REFUSED', 'EXPIRED', 'UNWANTED')),
       constraint mails_attempts_not_negative check (attempts >= 0)
     )${strict}`,
    "create index mails_waiting on mails (next_attempt_at, id) where state = 'WAITING'",
    "create index mails_by_account on mails (account_id, kind, created_at)",
    "create index mails_by_time on mails (created_at)",
    `create table seen_networks (
       account_id text not null references accounts (id),
       network text not null,
       seen_at ${integer} not null,
       constraint seen_networks_pkey primary key (account_id, network)
     )${strict}`,
    "create index seen_networks_by_time on seen_networks (seen_at)",
  ],
};
