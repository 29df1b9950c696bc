import type { MigrationStep, SqlDialect } from "#ports/db.ts";
import { appendOnly } from "./append-only.ts";

/**
 * Quotes for DDoS mode ADVANCED: the offer that a customer may accept, and the price per term that was accepted. Prices
 * that operators recorded before this step are not charged, because no customer accepted that.
 */
export const ddosQuotes: MigrationStep = {
  name: "0017-ddos-quotes",
  statements: (dialect) => {
    const { integer } = dialect;
    return [
      `alter table servers add column ddos_cents ${integer} not null default 0
         constraint servers_ddos_cents_not_negative check (ddos_cents >= 0)
         constraint servers_ddos_cents_for_advanced check (ddos_cents = 0 or ddos_mode = 'ADVANCED')`,
      `alter table servers add column ddos_offer_cents ${integer}
         constraint servers_ddos_offer_for_advanced check
           (ddos_offer_cents is null or coalesce(ddos_requested_mode, '') = 'ADVANCED')`,
      `alter table servers add column ddos_offered_at ${integer}`,
      `alter table servers add column ddos_offer_expires_at ${integer}`,
      `alter table servers add column ddos_offer_accepted_at ${integer}
         constraint servers_ddos_offer_whole check
           ((ddos_offer_cents is null) = (ddos_offered_at is null)
             and (ddos_offer_cents is null) = (ddos_offer_expires_at is null)
             and (ddos_offer_cents is not null or ddos_offer_accepted_at is null))`,
      `create index servers_by_offer_expiry on servers (ddos_offer_expires_at, id)
         where ddos_offer_expires_at is not null and ddos_offer_accepted_at is null`,
      `alter table ddos_requests add column quote_cents ${integer}`,
      `alter table ddos_requests add column charged_cents ${integer}`,
      `alter table ddos_requests add column short_told_at ${integer}`,
      "create index ddos_requests_by_server on ddos_requests (server_id, quote_cents)",
      `alter table work add column waiting_since ${integer}
         constraint work_waiting_is_ddos check (waiting_since is null or kind = 'DDOS')`,
      "create index work_waiting on work (id) where waiting_since is not null",
      ...ddosCharges(dialect),
    ];
  },
};

const types = `'DEPOSIT', 'ORDER_CHARGE', 'RENEWAL_CHARGE', 'DDOS_CHARGE',
  'WITHDRAWAL_HOLD', 'WITHDRAWAL_RELEASE', 'WITHDRAWAL_PAYOUT', 'REFUND', 'ADJUSTMENT'`;

/** Allows DDOS_CHARGE in the journal. SQLite cannot replace a constraint, so the table is copied. */
function ddosCharges(dialect: SqlDialect): readonly string[] {
  const { engine, integer, strict } = dialect;
  if (engine === "postgres") {
    return [
      "alter table journal drop constraint journal_type_known",
      `alter table journal add constraint journal_type_known check (type in (${types}))`,
    ];
  }
  return [
    "drop view postings",
    `create table new_journal (
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
       constraint journal_type_known check (type in (${types})),
       constraint journal_amount_bounded check (amount_cents between 1 and 100000000000000),
       constraint journal_two_accounts check (from_account <> to_account),
       constraint journal_cause_unique unique (cause),
       constraint journal_account_id_sequence_unique unique (account_id, sequence)
     )${strict}`,
    "insert into new_journal select * from journal",
    "drop table journal",
    "alter table new_journal rename to journal",
    ...appendOnly("journal", dialect),
    `create view postings as
       select id as entry_id, from_account as ledger_account, -amount_cents as amount_cents from journal
       union all
       select id, to_account, amount_cents from journal
       union all
       select id, from_account, -amount_cents from house_entries
       union all
       select id, to_account, amount_cents from house_entries`,
  ];
}
