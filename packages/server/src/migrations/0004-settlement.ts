import type { MigrationStep } from "#ports/db.ts";

/** Deposit addresses, deposits, and the state of the simulated provider. */
export const settlement: MigrationStep = {
  name: "0004-settlement",
  statements: ({ integer, strict }) => [
    `create table deposit_addresses (
       id text primary key,
       account_id text not null references accounts (id),
       intent_key text not null,
       asset text not null,
       network text not null,
       mode text not null,
       address text,
       confirmations_required ${integer} not null,
       created_at ${integer} not null,
       constraint deposit_addresses_account_id_intent_key_asset_unique
         unique (account_id, intent_key, asset),
       constraint deposit_addresses_network_address_unique unique (network, address)
     )${strict}`,
    `create table deposits (
       id text primary key,
       account_id text not null references accounts (id),
       address_id text not null references deposit_addresses (id),
       asset text not null,
       network text not null,
       mode text not null,
       address text not null,
       transaction_id text not null,
       output_index ${integer} not null,
       amount_units text not null,
       amount_decimals ${integer} not null,
       confirmations ${integer} not null,
       confirmations_required ${integer} not null,
       state text not null,
       deferred_until ${integer},
       credited_confirmations ${integer},
       usd_cents ${integer},
       rate text,
       rate_at ${integer},
       seen_at ${integer} not null,
       credited_at ${integer},
       constraint deposits_state_known check (state in ('CONFIRMING', 'CREDITED')),
       constraint deposits_credited_when_confirmed
         check (state = 'CONFIRMING' or (usd_cents is not null and rate is not null
           and credited_confirmations >= confirmations_required)),
       constraint deposits_network_transaction_id_output_index_unique
         unique (network, transaction_id, output_index)
     )${strict}`,
    "create index deposits_by_account on deposits (account_id, seen_at, id)",
    "create index deposits_by_state on deposits (state, id)",
    `create table settlement_cursors (
       mode text not null,
       network text not null,
       cursor text,
       version ${integer} not null,
       updated_at ${integer} not null,
       constraint settlement_cursors_pkey primary key (mode, network)
     )${strict}`,
    `create table simulated_addresses (
       reference text primary key,
       asset text not null,
       address text not null,
       constraint simulated_addresses_address_unique unique (address)
     )${strict}`,
    `create table simulated_payments (
       transaction_id text not null,
       output_index ${integer} not null,
       address text not null,
       asset text not null,
       amount_units text not null,
       confirmations ${integer} not null,
       is_gone ${integer} not null,
       revision ${integer} not null,
       constraint simulated_payments_pkey primary key (transaction_id, output_index)
     )${strict}`,
    "create index simulated_payments_by_revision on simulated_payments (revision)",
    `create table simulated_revisions (
       id ${integer} primary key,
       revision ${integer} not null,
       constraint simulated_revisions_one check (id = 1)
     )${strict}`,
    "insert into simulated_revisions values (1, 0)",
  ],
};
