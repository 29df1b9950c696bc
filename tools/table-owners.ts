import type { Schema } from "#server/ports/schema.ts";

/** `postings` is a view, so nothing writes it. */
type Table = Exclude<keyof Schema, "postings">;

/**
 * The one file, or folder, under `packages/server/src` that may insert into, update or delete from each table.
 * `npm run owners` fails on any other. Migrations and tests are exempt.
 */
export const tableOwners: Readonly<Record<Table, string>> = {
  accounts: "kernel/access/accounts.ts",
  sessions: "kernel/access/account-sessions.ts",
  api_keys: "kernel/access/api-keys.ts",
  ssh_keys: "features/ssh-keys/",
  rate_limits: "kernel/rate-limits.ts",
  balances: "kernel/ledger.ts",
  journal: "kernel/ledger.ts",
  idempotency_keys: "kernel/idempotency.ts",
  audit: "kernel/audit.ts",
  catalogues: "features/catalogue/",
  stock: "kernel/inventory.ts",
  machines: "kernel/inventory.ts",
  controllers: "kernel/controllers.ts",
  hardware_runs: "kernel/hardware-runs.ts",
  hardware_evidence: "kernel/hardware-runs.ts",
  subnets: "kernel/subnets.ts",
  address_families: "kernel/subnets.ts",
  released_places: "kernel/addresses.ts",
  assignments: "kernel/addresses.ts",
  reverse_zones: "kernel/reverse-dns/",
  published_ptrs: "kernel/reverse-dns/",
  foreign_ptrs: "kernel/reverse-dns/",
  reverse_dns_state: "kernel/reverse-dns/",
  orders: "features/orders/",
  servers: "kernel/server-states.ts",
  actions: "features/servers/",
  ddos_requests: "features/servers/",
  withdrawals: "kernel/withdrawals.ts",
  work: "kernel/work-queue/",
  threads: "kernel/threads.ts",
  messages: "kernel/threads.ts",
  sealed_texts: "kernel/sealed-texts.ts",
  saved_replies: "features/saved-replies/",
  notices: "features/notices/",
  notice_targets: "features/notices/",
  subscribers: "kernel/outbox/",
  deliveries: "kernel/outbox/",
  webhooks: "features/webhooks/",
  low_balances: "features/renewals/",
  contacts: "kernel/contacts.ts",
  mails: "kernel/mails.ts",
  seen_networks: "kernel/access/seen-networks.ts",
  keychains: "kernel/keychains.ts",
  deposit_addresses: "features/deposits/",
  deposits: "features/deposits/",
  settlement_cursors: "features/deposits/",
  simulated_payments: "adapters/settlement-simulated/",
  simulated_revisions: "adapters/settlement-simulated/",
  operators: "features/operators/",
  operator_sessions: "kernel/access/operator-sessions.ts",
  operator_recovery_codes: "features/operators/",
  rates: "kernel/operator-rates.ts",
  payouts: "features/payouts/",
  payout_withdrawals: "features/payouts/",
  payout_transactions: "features/payouts/",
  payout_pins: "features/payouts/",
  paying_transactions: "kernel/withdrawals.ts",
  coins: "kernel/coins.ts",
  wallet_balances: "features/payouts/",
  house_entries: "kernel/house-ledger.ts",
};

/** Takes its table as a parameter, so its callers are checked instead. */
export const genericWriters: readonly string[] = ["kernel/sql/prepared.ts"];
