/** A violation of a constraint of the service's tables: a second row after a valid first one. */
export interface Violation {
  readonly table: string;
  readonly constraint: string;
  /** Columns in which the second row equals the first. */
  readonly same?: readonly string[];
  /** Values of the second row. */
  readonly second?: Row;
  /** Values of both rows. */
  readonly both?: Row;
  /** The name on SQLite, which reports the columns of an index and not its name. */
  readonly onSqlite?: string;
  /** Values that make the second row valid, if the rule has an exception. */
  readonly unless?: Row;
}

export type Row = Readonly<Record<string, string | number | null>>;

const unique = (table: string, ...same: string[]): Violation => ({
  table,
  constraint: `${table}_${same.join("_")}_unique`,
  same,
});
const key = (table: string, ...same: string[]): Violation => ({
  table,
  constraint: `${table}_pkey`,
  same,
});
const check = (table: string, name: string, second: Row): Violation => ({
  table,
  constraint: `${table}_${name}`,
  second,
});

const offer: Row = { ddos_offer_cents: 1, ddos_offered_at: 1, ddos_offer_expires_at: 2 };
const credited: Row = { usd_cents: 1, rate: "1" };

const payoutViolations: readonly Violation[] = [
  check("payouts", "state_known", { state: "LOST" }),
  check("payouts", "ended_once", { ended_at: 1 }),
  check("payouts", "broadcast_is_approved", { state: "BROADCAST" }),
  check("payouts", "broadcast_is_signed", { state: "BROADCAST", broadcast_by: "operators.id 1" }),
  key("payout_withdrawals", "payout_id", "withdrawal_id"),
  key("payout_transactions", "payout_id", "attempt"),
  check("payout_transactions", "sent_is_stored", { sent_at: 1, raw: null }),
  key("payout_pins", "network", "pin"),
  key("paying_transactions", "network", "transaction_id"),
  key("coins", "network", "transaction_id", "output_index"),
  key("wallet_balances", "network", "asset"),
  unique("house_entries", "cause"),
  check("house_entries", "amount_not_negative", { amount_cents: -1 }),
];

/** Complete: a constraint of the migrations that is missing here fails the test. */
export const violations: readonly Violation[] = [
  {
    ...unique("threads", "topic"),
    both: { topic: "server/srv_1" },
    unless: { topic: null },
  },
  check("threads", "opened_by_known", { opened_by: "SERVICE" }),
  check("threads", "state_known", { state: "LOST" }),
  check("threads", "subject_bounded", { subject: "" }),
  check("threads", "unread_not_negative", { customer_unread: -1 }),
  check("contacts", "confirmed_together", { email: "a@b.example" }),
  check("contacts", "refused_email", { refused_at: 1 }),
  check("contacts", "pending_together", { pending_email: "a@b.example" }),
  check("contacts", "email_bounded", { email: "a".repeat(255), confirmed_at: 1 }),
  check("mails", "kind_known", { kind: "ADVERTISEMENT" }),
  check("mails", "state_known", { state: "LOST" }),
  check("mails", "attempts_not_negative", { attempts: -1 }),
  key("seen_networks", "account_id", "network"),
  check("messages", "sender_known", { sender: "ROBOT", operator_id: null }),
  check("messages", "operator_fits", { sender: "CUSTOMER", operator_id: "operators.id 1" }),
  check("messages", "text_bounded", { text: "" }),
  check("sealed_texts", "bounded", { ciphertext: "" }),
  check("sealed_texts", "erased_after_expiry", { ciphertext: null, expires_at: null }),
  unique("saved_replies", "number"),
  unique("saved_replies", "name"),
  check("saved_replies", "name_bounded", { name: "" }),
  check("saved_replies", "text_bounded", { text: "" }),
  unique("notices", "number"),
  check("notices", "kind_known", { kind: "RUMOUR" }),
  check("notices", "title_bounded", { title: "" }),
  check("notices", "text_bounded", { text: "" }),
  check("notices", "ends_later", { starts_at: 9, ends_at: 9 }),
  check("notices", "is_for_all_known", { is_for_all: 2 }),
  key("notice_targets", "notice_id", "kind", "target"),
  check("notice_targets", "kind_known", { kind: "ACCOUNT" }),
  check("subscribers", "channel_known", { channel: "FAX" }),
  check("subscribers", "failures_fit", { failing_since: 1, last_failed_at: null }),
  key("deliveries", "subscriber_id", "id"),
  check("deliveries", "delivered_once", { due_at: 1, delivered_at: 1 }),
  check("webhooks", "previous_fits", { previous_secret: "s", previous_until: null }),
  unique("accounts", "username"),
  unique("sessions", "token_hash"),
  unique("api_keys", "token_hash"),
  check("api_keys", "scope_known", { scope: "admin" }),
  check("rate_limits", "count_not_negative", { count: -1 }),
  check("balances", "available_not_negative", { available_cents: -1 }),
  check("balances", "held_not_negative", { held_cents: -1 }),
  unique("journal", "cause"),
  unique("journal", "account_id", "sequence"),
  check("journal", "type_known", { type: "GIFT" }),
  check("journal", "amount_bounded", { amount_cents: 0 }),
  check("journal", "two_accounts", { from_account: "house/x", to_account: "house/x" }),
  key("idempotency_keys", "owner_id", "operation", "key"),
  check("catalogues", "one", { id: 2 }),
  key("stock", "config_id", "region_id"),
  check("stock", "free_not_negative", { free: -1 }),
  unique("machines", "asset_tag"),
  check("machines", "state_known", { state: "LOST" }),
  check("machines", "unit_in_rack", { unit: 1, rack: null }),
  { ...unique("machines", "serial_number"), both: { serial_number: "S1" } },
  {
    ...unique("machines", "region_id", "rack", "unit"),
    both: { rack: "R1", unit: 1 },
    unless: { state: "RETIRED" },
  },
  key("machine_macs", "machine_id", "position"),
  unique("machine_macs", "mac"),
  check("controllers", "driver_known", { driver: "telnet" }),
  check("controllers", "power_known", { power: "MAYBE", power_seen_at: 1 }),
  check("controllers", "power_has_time", { power: "ON" }),
  {
    ...unique("hardware_runs", "machine_id"),
    unless: { state: "FAILED", ended_at: 1, lease_until: null },
  },
  check("hardware_runs", "state_known", { state: "LOST", lease_until: null }),
  check("hardware_runs", "ended_once", { ended_at: 1 }),
  check("hardware_runs", "lease_while_living", { lease_until: null }),
  check("hardware_runs", "started_fits", { started_at: 1 }),
  key("hardware_evidence", "run_id", "position"),
  unique("subnets", "cidr"),
  check("subnets", "family_known", { family: 5 }),
  check("address_families", "known", { family: 5 }),
  key("released_places", "subnet_id", "place"),
  check("reverse_zones", "state_known", { state: "LOST" }),
  check("reverse_zones", "may_create_known", { may_create: 2 }),
  check("reverse_zones", "error_fits", { error: "down" }),
  check("published_ptrs", "state_known", { state: "LOST" }),
  check("published_ptrs", "error_fits", { error: "down" }),
  check("published_ptrs", "seen", { state: "PUBLISHED", seen_at: null }),
  unique("published_ptrs", "name"),
  check("reverse_dns_state", "one", { id: 2 }),
  check("orders", "term_known", { term: "daily" }),
  check("orders", "quantity_bounded", { quantity: 21 }),
  check("servers", "state_known", { state: "LOST" }),
  check("servers", "ddos_mode_known", { ddos_mode: "EXTREME" }),
  check("servers", "ddos_requested_mode_known", { ddos_requested_mode: "EXTREME" }),
  check("servers", "auto_renew_known", { auto_renew: 2 }),
  check("servers", "price_not_negative", { price_cents: -1 }),
  check("servers", "ddos_cents_not_negative", { ddos_cents: -1, ddos_mode: "ADVANCED" }),
  check("servers", "ddos_cents_for_advanced", { ddos_cents: 1 }),
  {
    ...check("servers", "ddos_offer_for_advanced", offer),
    unless: { ddos_requested_mode: "ADVANCED" },
  },
  {
    ...check("servers", "ddos_offer_whole", { ...offer, ddos_offered_at: null }),
    both: { ddos_requested_mode: "ADVANCED" },
    unless: { ddos_offered_at: 1 },
  },
  check("servers", "label_bounded", { label: "x".repeat(65) }),
  {
    table: "servers",
    constraint: "servers_one_living_per_machine",
    onSqlite: "servers_machine_id_unique",
    same: ["machine_id"],
    unless: { state: "TERMINATED" },
  },
  {
    table: "assignments",
    constraint: "assignments_one_living_per_address",
    onSqlite: "assignments_address_unique",
    same: ["address"],
    unless: { released_at: 1 },
  },
  check("ddos_requests", "mode_known", { mode: "EXTREME" }),
  check("withdrawals", "status_known", { status: "LOST" }),
  check("withdrawals", "cents_positive", { cents: 0 }),
  check("work", "kind_known", { kind: "OTHER" }),
  check("work", "state_known", { state: "LOST" }),
  { ...check("work", "waiting_is_ddos", { waiting_since: 1 }), unless: { kind: "DDOS" } },
  {
    table: "work",
    constraint: "work_one_living_ddos_per_server",
    onSqlite: "work_server_id_unique",
    both: { kind: "DDOS", server_id: "servers.id 1" },
    unless: { state: "DONE" },
  },
  {
    table: "work",
    constraint: "work_one_living_power_per_server",
    onSqlite: "work_server_id_unique",
    both: { kind: "SERVER_ACTION", server_id: "servers.id 1", action_id: null },
    unless: { state: "DONE" },
  },
  {
    table: "work",
    constraint: "work_one_per_withdrawal",
    onSqlite: "work_withdrawal_id_unique",
    both: { withdrawal_id: "withdrawals.id 1" },
    unless: { withdrawal_id: null },
  },
  unique("keychains", "network", "public_key"),
  unique("deposit_addresses", "account_id", "intent_key", "asset"),
  {
    ...unique("deposit_addresses", "network", "address"),
    both: { address: "given out" },
    unless: { address: null },
  },
  {
    ...unique("deposit_addresses", "keychain_id", "derivation_index"),
    both: { derivation_index: 1 },
    unless: { derivation_index: null },
  },
  check("deposits", "state_known", { state: "LOST", ...credited, credited_confirmations: 99 }),
  {
    ...check("deposits", "credited_when_confirmed", { state: "CREDITED", ...credited }),
    both: { confirmations_required: 2, credited_confirmations: 1 },
    unless: { credited_confirmations: 2 },
  },
  unique("deposits", "network", "transaction_id", "output_index"),
  key("settlement_cursors", "mode", "network"),
  key("simulated_payments", "transaction_id", "output_index"),
  check("simulated_revisions", "one", { id: 2 }),
  unique("operators", "username"),
  check("operators", "role_known", { role: "owner" }),
  unique("operator_sessions", "token_hash"),
  key("operator_recovery_codes", "operator_id", "code_hash"),
  unique("rates", "asset", "sequence"),
  {
    ...unique("rates", "proposal_id"),
    both: { proposal_id: "rates.id 1", kind: "VOIDED" },
  },
  check("rates", "kind_known", { kind: "GUESSED", proposal_id: "rates.id 1" }),
  check("rates", "valid_until_after_at", { valid_until: 1 }),
  check("rates", "proposal_fits", { kind: "VOIDED" }),
  check("rates", "two_operators", { proposal_id: "rates.id 1", proposed_by: "operators.id 1" }),
  ...payoutViolations,
];
