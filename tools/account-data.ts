import type { AnswerOf, Operations } from "@ironlease/contract";
import type { Schema } from "#server/ports/schema.ts";

/** `postings` is a view of the journal. */
type Table = Exclude<keyof Schema, "postings">;

type Section = keyof AnswerOf<Operations["exportAccount"]>["body"];

/** A table without data about accounts, and what its rows are about instead. */
interface NotAboutAccounts {
  readonly about: string;
}

/** A table with data about accounts. */
interface AboutAccounts<T extends Table> {
  /** The column with the id of the account, or with the id of a row of another table that has it. */
  readonly by: keyof Schema[T] & string;
  /** The table that `by` refers to, if not to accounts. */
  readonly of?: Table;
  /** The member of the export, or why the rows are in none. */
  readonly exported: Section | { readonly leftOut: string };
  /** What closing the account does to the rows. */
  readonly closed:
    | "deleted"
    | { readonly erases: readonly (keyof Schema[T] & string)[]; readonly keeps: string }
    | { readonly keeps: string };
}

type AccountData = { readonly [T in Table]: NotAboutAccounts | AboutAccounts<T> };

const accounting = "accounting needs it";

/**
 * What the service stores about an account, where the export has it, and what closing the account does to it. A new
 * table does not compile without a line here, and `test/account-data.test.ts` compares the lines with what happens.
 */
export const accountData: AccountData = {
  accounts: {
    by: "id",
    exported: "account",
    closed: {
      erases: ["username", "password_hash", "recovery_hash", "totp_secret", "totp_pending"],
      keeps: "other rows refer to it",
    },
  },
  sessions: { by: "account_id", exported: "sessions", closed: "deleted" },
  account_notes: {
    by: "account_id",
    exported: { leftOut: "the operators' own remarks, which the customer never sees" },
    closed: "deleted",
  },
  second_factor_codes: {
    by: "account_id",
    exported: { leftOut: "hashes of secrets" },
    closed: "deleted",
  },
  passkeys: { by: "account_id", exported: "passkeys", closed: "deleted" },
  passkey_challenges: { about: "hashes that expire within minutes" },
  api_keys: { by: "account_id", exported: "apiKeys", closed: "deleted" },
  ssh_keys: { by: "account_id", exported: "sshKeys", closed: "deleted" },
  rate_limits: { about: "hashes that expire within a day" },
  balances: { by: "account_id", exported: "account", closed: { keeps: accounting } },
  journal: { by: "account_id", exported: "ledger", closed: { keeps: accounting } },
  statement_keys: { about: "the service's own keys" },
  liability_trees: { about: "the total of all balances" },
  liability_chunks: { about: "all balances under account ids, deleted in time" },
  idempotency_keys: { by: "owner_id", exported: "idempotencyKeys", closed: "deleted" },
  audit: {
    by: "actor",
    exported: "activity",
    closed: { erases: ["ip_address", "detail"], keeps: "it proves what happened" },
  },
  audit_erasure: { about: "a background job" },
  catalogues: { about: "prices" },
  stock: { about: "machines" },
  machines: { about: "machines" },
  machine_macs: { about: "machines" },
  controllers: { about: "machines" },
  hardware_runs: {
    by: "work_id",
    of: "work",
    exported: { leftOut: "it describes a machine" },
    closed: { keeps: "it describes a machine" },
  },
  hardware_evidence: { about: "machines" },
  subnets: { about: "addresses" },
  address_families: { about: "addresses" },
  released_places: { about: "addresses" },
  address_reservations: {
    by: "work_id",
    of: "work",
    exported: { leftOut: "it plans a delivery, and ends with it" },
    closed: "deleted",
  },
  orders: {
    by: "account_id",
    exported: "orders",
    closed: { erases: ["ssh_public_key"], keeps: accounting },
  },
  servers: {
    by: "account_id",
    exported: "servers",
    closed: { erases: ["label"], keeps: accounting },
  },
  assignments: {
    by: "account_id",
    exported: "assignments",
    closed: { erases: ["ptr"], keeps: "reports of abuse name an address and a time" },
  },
  reverse_zones: { about: "addresses" },
  published_ptrs: { about: "addresses: the next pass empties those that were released" },
  foreign_ptrs: { about: "addresses" },
  reverse_dns_state: { about: "a background job" },
  actions: {
    by: "account_id",
    exported: "actions",
    closed: { erases: ["iso_url"], keeps: "it proves what was requested" },
  },
  ddos_requests: { by: "account_id", exported: "ddosRequests", closed: { keeps: accounting } },
  withdrawals: { by: "account_id", exported: "withdrawals", closed: { keeps: accounting } },
  withdrawal_addresses: {
    by: "account_id",
    exported: "withdrawalAddresses",
    closed: "deleted",
  },
  withdrawal_locks: { by: "account_id", exported: "withdrawalLock", closed: "deleted" },
  work: {
    by: "account_id",
    exported: { leftOut: "the operators' queue; requests and outcomes are in the export" },
    // Reviews of withdrawals and wipes of machines keep their details.
    closed: { keeps: "it proves what operators did; keys and URLs are erased" },
  },
  catalogue_versions: { about: "the catalogue" },
  checklists: { about: "the operators' work" },
  threads: {
    by: "account_id",
    exported: "threads",
    closed: { erases: ["subject"], keeps: "times and states" },
  },
  messages: {
    by: "account_id",
    exported: "messages",
    closed: { erases: ["text"], keeps: "times and senders" },
  },
  sealed_texts: { by: "message_id", of: "messages", exported: "messages", closed: "deleted" },
  saved_replies: { about: "the operators' own texts" },
  notices: { about: "all customers, a region or servers" },
  notice_targets: { about: "regions and servers" },
  subscribers: { by: "account_id", exported: "webhooks", closed: "deleted" },
  deliveries: { by: "account_id", exported: "deliveries", closed: "deleted" },
  webhooks: { by: "account_id", exported: "webhooks", closed: "deleted" },
  low_balances: {
    by: "account_id",
    exported: { leftOut: "it remembers that an event was sent, which is in the deliveries" },
    closed: "deleted",
  },
  contacts: { by: "account_id", exported: "contact", closed: "deleted" },
  mails: { by: "account_id", exported: "mails", closed: "deleted" },
  seen_networks: { by: "account_id", exported: "signInNetworks", closed: "deleted" },
  keychains: { about: "the house's keys" },
  deposit_addresses: {
    by: "account_id",
    exported: "depositAddresses",
    closed: { keeps: "a later payment must be found" },
  },
  deposits: { by: "account_id", exported: "deposits", closed: { keeps: accounting } },
  settlement_cursors: { about: "chains" },
  simulated_payments: { about: "the simulated chain" },
  simulated_revisions: { about: "the simulated chain" },
  operators: { about: "operators" },
  operator_sessions: { about: "operators" },
  operator_recovery_codes: { about: "operators" },
  rates: { about: "prices of coins" },
  payouts: { about: "the house's payments" },
  payout_withdrawals: {
    by: "withdrawal_id",
    of: "withdrawals",
    exported: { leftOut: "the same as its withdrawal" },
    closed: { keeps: accounting },
  },
  payout_transactions: { about: "the house's payments" },
  payout_pins: { about: "the house's payments" },
  paying_transactions: {
    by: "payer_id",
    of: "withdrawals",
    exported: { leftOut: "the same as its withdrawal" },
    closed: { keeps: accounting },
  },
  coins: { about: "the house's coins" },
  wallet_balances: { about: "the house's coins" },
  house_entries: { about: "the house's coins" },
  acme_accounts: { about: "the service at a certificate authority" },
  acme_certificates: { about: "the service's own certificates" },
  acme_challenges: { about: "the service's answers to a certificate authority" },
};
