import type { MigrationStep } from "#ports/db.ts";
import { appendOnly } from "./append-only.ts";

/**
 * Payouts of withdrawals: the transactions that pay them, what those spend, the wallet that they are paid from, and the
 * house's own ledger entries.
 */
export const payouts: MigrationStep = {
  name: "0013-payouts",
  statements: (dialect) => {
    const { integer, strict } = dialect;
    return [
      `create table payouts (
         id text primary key,
         created_at ${integer} not null,
         network text not null,
         asset text not null,
         amount_decimals ${integer} not null,
         format text not null,
         state text not null,
         cents ${integer} not null,
         rate text not null,
         rate_at ${integer} not null,
         fee_asset text not null,
         fee_decimals ${integer} not null,
         fee_rate text,
         confirmations_required ${integer} not null,
         expires_at ${integer} not null,
         prepared_by text not null references operators (id),
         signed_by text references operators (id),
         broadcast_by text references operators (id),
         broadcast_at ${integer},
         transaction_id text,
         confirmations ${integer} not null,
         ended_at ${integer},
         error text,
         constraint payouts_state_known check (state in
           ('PREPARED', 'SIGNED', 'BROADCAST', 'CONFIRMED', 'CANCELLED', 'FAILED')),
         constraint payouts_ended_once
           check ((state in ('CONFIRMED', 'CANCELLED', 'FAILED')) = (ended_at is not null)),
         constraint payouts_broadcast_is_approved
           check ((state in ('BROADCAST', 'CONFIRMED', 'FAILED')) = (broadcast_by is not null)),
         constraint payouts_broadcast_is_signed
           check (broadcast_by is null or signed_by is not null)
       )${strict}`,
      `create index payouts_living on payouts (network, id)
         where state in ('PREPARED', 'SIGNED', 'BROADCAST')`,
      "create index payouts_failed on payouts (ended_at, id) where state = 'FAILED'",
      `create index payouts_refused on payouts (id)
         where state = 'BROADCAST' and error is not null`,
      `create table payout_withdrawals (
         payout_id text not null references payouts (id),
         withdrawal_id text not null references withdrawals (id),
         position ${integer} not null,
         work_id text not null references work (id),
         destination text not null,
         cents ${integer} not null,
         amount_units text not null,
         constraint payout_withdrawals_pkey primary key (payout_id, withdrawal_id)
       )${strict}`,
      `create table payout_transactions (
         payout_id text not null references payouts (id),
         attempt ${integer} not null,
         unsigned text not null,
         fee_units text not null,
         transaction_id text,
         from_address text,
         raw text,
         change_index ${integer},
         change_output ${integer},
         change_units text,
         sent_at ${integer},
         block_height ${integer},
         block_hash text,
         searched_height ${integer},
         constraint payout_transactions_pkey primary key (payout_id, attempt),
         constraint payout_transactions_sent_is_stored check (sent_at is null or raw is not null)
       )${strict}`,
      `create table payout_pins (
         network text not null,
         pin text not null,
         payout_id text not null references payouts (id),
         constraint payout_pins_pkey primary key (network, pin)
       )${strict}`,
      "create index payout_pins_by_payout on payout_pins (payout_id)",
      `create table paying_transactions (
         network text not null,
         transaction_id text not null,
         payer_id text not null,
         created_at ${integer} not null,
         constraint paying_transactions_pkey primary key (network, transaction_id)
       )${strict}`,
      "alter table withdrawals add column payout_id text references payouts (id)",
      `create table coins (
         network text not null,
         transaction_id text not null,
         output_index ${integer} not null,
         asset text not null,
         amount_units text not null,
         keychain_id text not null references keychains (id),
         branch ${integer} not null,
         derivation_index ${integer} not null,
         missing_since ${integer},
         spent_at ${integer},
         constraint coins_pkey primary key (network, transaction_id, output_index)
       )${strict}`,
      `create index coins_by_amount on coins (network, length(amount_units), amount_units)
         where spent_at is null`,
      `create index coins_unspent on coins (network, transaction_id, output_index)
         where spent_at is null`,
      `insert into coins
         select d.network, d.transaction_id, d.output_index, d.asset, d.amount_units, a.keychain_id,
           0, a.derivation_index, null, null
         from deposits d join deposit_addresses a on a.id = d.address_id
         where d.state = 'CREDITED' and a.derivation_index is not null and d.mode <> 'SIMULATED'
           and d.asset in ('BTC', 'LTC')`,
      `create table wallet_balances (
         network text not null,
         asset text not null,
         units text not null,
         seen_at ${integer} not null,
         constraint wallet_balances_pkey primary key (network, asset)
       )${strict}`,
      `alter table keychains add column next_change_index ${integer} not null default 0`,
      `create table house_entries (
         id text primary key,
         created_at ${integer} not null,
         cause text not null,
         from_account text not null,
         to_account text not null,
         amount_cents ${integer} not null,
         network text not null,
         asset text not null,
         amount_units text not null,
         description text not null,
         reference_kind text not null,
         reference_id text not null,
         constraint house_entries_amount_not_negative check (amount_cents >= 0),
         constraint house_entries_cause_unique unique (cause)
       )${strict}`,
      "create index house_entries_by_asset on house_entries (network, asset, amount_units)",
      ...appendOnly("house_entries", dialect),
      "drop view postings",
      `create view postings as
         select id as entry_id, from_account as ledger_account, -amount_cents as amount_cents from journal
         union all
         select id, to_account, amount_cents from journal
         union all
         select id, from_account, -amount_cents from house_entries
         union all
         select id, to_account, amount_cents from house_entries`,
    ];
  },
};
