import type { MigrationStep } from "#ports/db.ts";
import { appendOnly } from "./append-only.ts";

/**
 * Balances, the journal, idempotency keys and the audit log. A journal row is one movement from one ledger
 * account to another, so its two postings sum to zero by construction.
 */
export const ledger: MigrationStep = {
  name: "0002-ledger",
  statements: (dialect) => {
    const { integer, strict } = dialect;
    return [
      `create table balances (
         account_id text primary key references accounts (id),
         available_cents ${integer} not null,
         held_cents ${integer} not null,
         entries ${integer} not null,
         constraint balances_available_not_negative check (available_cents >= 0),
         constraint balances_held_not_negative check (held_cents >= 0)
       )${strict}`,
      "insert into balances select id, 0, 0, 0 from accounts",
      `create table journal (
         id text primary key,
         created_at ${integer} not null,
         type text not null,
         cause text not null,
         from_account text not null,
         to_account text not null,
         amount_cents ${integer} not null,
         account_id text not null references accounts (id),
         sequence ${integer} not null,
         change_cents ${integer} not null,
         balance_after_cents ${integer} not null,
         held_after_cents ${integer} not null,
         description text not null,
         reference_kind text not null,
         reference_id text not null,
         constraint journal_type_known check (type in ('DEPOSIT', 'ORDER_CHARGE', 'RENEWAL_CHARGE',
           'WITHDRAWAL_HOLD', 'WITHDRAWAL_RELEASE', 'WITHDRAWAL_PAYOUT', 'REFUND', 'ADJUSTMENT')),
         constraint journal_amount_bounded check (amount_cents between 1 and 100000000000000),
         constraint journal_two_accounts check (from_account <> to_account),
         constraint journal_cause_unique unique (cause),
         constraint journal_account_id_sequence_unique unique (account_id, sequence)
       )${strict}`,
      ...appendOnly("journal", dialect),
      `create view postings as
         select id as entry_id, from_account as ledger_account, -amount_cents as amount_cents from journal
         union all
         select id, to_account, amount_cents from journal`,
      `create table idempotency_keys (
         account_id text not null references accounts (id),
         operation text not null,
         key text not null,
         request_hash text not null,
         status ${integer} not null,
         body text not null,
         created_at ${integer} not null,
         constraint idempotency_keys_pkey primary key (account_id, operation, key)
       )${strict}`,
      `create table audit (
         id text primary key,
         at ${integer} not null,
         actor text not null,
         action text not null,
         subject text not null,
         detail text not null,
         ip_address text not null
       )${strict}`,
      "create index audit_by_time on audit (at, id)",
      "create index audit_by_subject on audit (subject, at)",
      "create index audit_by_actor on audit (actor, at)",
      ...appendOnly("audit", dialect),
    ];
  },
};
