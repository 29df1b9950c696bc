// oxlint-disable max-lines -- all tables are easier to find in one list
import type { SubscribedMailKind } from "@ironlease/contract";
import type { Generated } from "kysely";

/**
 * The types of the tables, which the migrations create. On both engines money is integer cents, time is integer
 * epoch milliseconds, and ids are text.
 */
export interface Schema {
  accounts: AccountsTable;
  account_notes: AccountNotesTable;
  second_factor_codes: SecondFactorCodesTable;
  sessions: SessionsTable;
  passkeys: PasskeysTable;
  passkey_challenges: PasskeyChallengesTable;
  api_keys: ApiKeysTable;
  ssh_keys: SshKeysTable;
  rate_limits: RateLimitsTable;
  balances: BalancesTable;
  journal: JournalTable;
  postings: PostingsView;
  statement_keys: StatementKeysTable;
  liability_trees: LiabilityTreesTable;
  liability_chunks: LiabilityChunksTable;
  idempotency_keys: IdempotencyKeysTable;
  audit: AuditTable;
  audit_erasure: AuditErasureTable;
  catalogues: CataloguesTable;
  catalogue_versions: CatalogueVersionsTable;
  stock: StockTable;
  machines: MachinesTable;
  machine_macs: MachineMacsTable;
  controllers: ControllersTable;
  hardware_runs: HardwareRunsTable;
  hardware_evidence: HardwareEvidenceTable;
  subnets: SubnetsTable;
  address_families: AddressFamiliesTable;
  released_places: ReleasedPlacesTable;
  address_reservations: AddressReservationsTable;
  orders: OrdersTable;
  servers: ServersTable;
  assignments: AssignmentsTable;
  reverse_zones: ReverseZonesTable;
  published_ptrs: PublishedPtrsTable;
  foreign_ptrs: ForeignPtrsTable;
  reverse_dns_state: ReverseDnsStateTable;
  actions: ActionsTable;
  ddos_requests: DdosRequestsTable;
  withdrawals: WithdrawalsTable;
  withdrawal_addresses: WithdrawalAddressesTable;
  withdrawal_locks: WithdrawalLocksTable;
  work: WorkTable;
  threads: ThreadsTable;
  messages: MessagesTable;
  sealed_texts: SealedTextsTable;
  checklists: ChecklistsTable;
  saved_replies: SavedRepliesTable;
  notices: NoticesTable;
  notice_targets: NoticeTargetsTable;
  subscribers: SubscribersTable;
  deliveries: DeliveriesTable;
  webhooks: WebhooksTable;
  low_balances: LowBalancesTable;
  contacts: ContactsTable;
  mails: MailsTable;
  seen_networks: SeenNetworksTable;
  keychains: KeychainsTable;
  deposit_addresses: DepositAddressesTable;
  deposits: DepositsTable;
  settlement_cursors: SettlementCursorsTable;
  simulated_payments: SimulatedPaymentsTable;
  simulated_revisions: SimulatedRevisionsTable;
  operators: OperatorsTable;
  operator_sessions: OperatorSessionsTable;
  operator_recovery_codes: OperatorRecoveryCodesTable;
  rates: RatesTable;
  payouts: PayoutsTable;
  payout_withdrawals: PayoutWithdrawalsTable;
  payout_transactions: PayoutTransactionsTable;
  payout_pins: PayoutPinsTable;
  paying_transactions: PayingTransactionsTable;
  coins: CoinsTable;
  wallet_balances: WalletBalancesTable;
  house_entries: HouseEntriesTable;
  acme_accounts: AcmeAccountsTable;
  acme_certificates: AcmeCertificatesTable;
  acme_challenges: AcmeChallengesTable;
}

/** Our accounts at certificate authorities. Keys are sealed. */
interface AcmeAccountsTable {
  /** The URL of the authority's directory. */
  directory: string;
  private_key: string;
  created_at: number;
}

interface AcmeCertificatesTable {
  directory: string;
  /** Separated by spaces. */
  names: string;
  /** Null before the first order has succeeded, like the two below. */
  certificate: Generated<string | null>;
  /** Sealed. */
  private_key: Generated<string | null>;
  expires_at: Generated<number | null>;
  /** Since the last success. */
  failures: number;
  /** Why the last order failed. */
  error: Generated<string | null>;
  due_at: number;
  leased_by: Generated<string | null>;
  leased_until: number;
}

interface AcmeChallengesTable {
  token: string;
  answer: string;
  expires_at: number;
}

/** What operators note about an account. */
interface AccountNotesTable {
  id: string;
  account_id: string;
  operator_id: string;
  text: string;
  created_at: number;
}

interface AccountsTable {
  id: string;
  username: string;
  password_hash: string;
  recovery_hash: string;
  created_at: number;
  /** Null unless an operator has frozen the account. */
  frozen_at: number | null;
  /** The operator's reason, shown to the customer; null unless frozen. */
  frozen_reason: string | null;
  /** When the customer closed the account. The row then has no personal data. */
  closed_at: number | null;
  /** Sealed; set once a code was confirmed. */
  totp_secret: string | null;
  /** Sealed; issued, but no code confirmed yet. */
  totp_pending: string | null;
  /** The time step of the last accepted code, so that no code is accepted twice. */
  totp_last_step: number | null;
}

/** Each replaces a code of the second factor once. Only hashes are stored. */
interface SecondFactorCodesTable {
  account_id: string;
  code_hash: string;
}

interface SessionsTable {
  id: string;
  account_id: string;
  token_hash: string;
  created_at: number;
  last_seen_at: number;
  ends_at: number;
  ip_address: string;
  user_agent: string;
}

interface ApiKeysTable {
  id: string;
  account_id: string;
  name: string;
  scope: string;
  prefix: string;
  token_hash: string;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  /** CIDRs as a JSON list. Null: the key works from anywhere. */
  allowed_networks: string | null;
}

interface SshKeysTable {
  id: string;
  account_id: string;
  name: string;
  public_key: string;
  fingerprint: string;
  created_at: number;
}

interface RateLimitsTable {
  key: string;
  count: number;
  window_ends_at: number;
}

interface BalancesTable {
  account_id: string;
  available_cents: number;
  held_cents: number;
  /** The number of journal rows, and the sequence of the latest. */
  entries: number;
  /** Counts other changes to the account's lists. Triggers maintain it. */
  list_changes: number;
  /** How many entries have a hash, and the hash of the last of them. Fewer than all until old entries are chained. */
  chained_entries: number;
  head_hash: string | null;
}

interface JournalTable {
  id: string;
  created_at: number;
  type: JournalType;
  /** What caused the entry. Unique, so that a cause has one row. */
  cause: string;
  from_account: string;
  to_account: string;
  amount_cents: number;
  account_id: string;
  sequence: number;
  /** Of the spendable balance. */
  change_cents: number;
  balance_after_cents: number;
  held_after_cents: number;
  description: string;
  reference_kind: string;
  reference_id: string;
  /** Chains the entry to the one before it. Null on entries of earlier versions until they are chained. */
  hash: string | null;
}

interface StatementKeysTable {
  key_id: string;
  /** In base64url. */
  public_key: string;
  created_at: number;
}

interface LiabilityTreesTable {
  /** In UTC, such as 2026-11-15. */
  date: string;
  /** When the balances were read. */
  created_at: number;
  root_hash: string;
  total_cents: number;
  accounts: number;
  /** The salts of the accounts are derived from it. */
  secret: string;
  key_id: string;
  signature: string;
}

interface LiabilityChunksTable {
  date: string;
  /** 0 for leaves. */
  level: number;
  /** The salted hash of the first account in it. */
  first_account: string;
  position: number;
  /** As JSON: balances on level 0, hashes and sums above. */
  nodes: string;
}

export type JournalType =
  | "DEPOSIT"
  | "ORDER_CHARGE"
  | "RENEWAL_CHARGE"
  | "DDOS_CHARGE"
  | "WITHDRAWAL_HOLD"
  | "WITHDRAWAL_RELEASE"
  | "WITHDRAWAL_PAYOUT"
  | "REFUND"
  | "ADJUSTMENT";

interface PostingsView {
  entry_id: string;
  ledger_account: string;
  amount_cents: number;
}

interface IdempotencyKeysTable {
  /** An account, or an operator. */
  owner_id: string;
  operation: string;
  key: string;
  request_hash: string;
  status: number;
  body: string;
  /** What the write created or changed. Null on rows from before migration 0024. */
  reference_id: string | null;
  created_at: number;
}

interface AuditTable {
  id: string;
  at: number;
  actor: string;
  action: string;
  subject: string;
  /** JSON. */
  detail: string;
  ip_address: string;
}

interface CataloguesTable {
  id: number;
  version: number;
  /** JSON in the format of `catalogue import`. */
  document: string;
  updated_at: number;
}

interface CatalogueVersionsTable {
  version: number;
  document: string;
  saved_at: number;
  /** An operator, or `system` for a command. Null for the version that an upgrade found. */
  saved_by: string | null;
}

interface StockTable {
  config_id: string;
  region_id: string;
  /** How many machines are FREE and not kept out of sale. */
  free: number;
  /** All machines of the offer, in any state. */
  machines: Generated<number>;
  /** All servers ever sold from it. */
  servers: Generated<number>;
}

export type MachineState = "FREE" | "RESERVED" | "ASSIGNED" | "DIRTY" | "RETIRED";

interface MachinesTable {
  id: string;
  asset_tag: string;
  config_id: string;
  region_id: string;
  state: MachineState;
  created_at: number;
  rack: Generated<string | null>;
  /** The lowest unit of the rack. */
  unit: Generated<number | null>;
  serial_number: Generated<string | null>;
  switch_port: Generated<string | null>;
  notes: Generated<string | null>;
  /** A machine with a reason is not counted in the stock and not sold. */
  keep_out_reason: Generated<string | null>;
}

/** The interfaces of machines. */
interface MachineMacsTable {
  /** In lower case, with colons. */
  mac: string;
  machine_id: string;
  /** The place among the machine's interfaces, from 0. */
  position: number;
}

/** The management controller of a machine. */
interface ControllersTable {
  machine_id: string;
  driver: "redfish" | "ipmi";
  address: string;
  username: string;
  /** Sealed. */
  credential: string;
  certificate_sha256: string | null;
  /** The power state that a run last saw, and when. */
  power: "ON" | "OFF" | null;
  power_seen_at: number | null;
}

export type RunState = "QUEUED" | "RUNNING" | "SUCCEEDED" | "FAILED" | "UNKNOWN";

/** What an operator had the service do with a machine's controller. */
interface HardwareRunsTable {
  id: string;
  work_id: string;
  machine_id: string;
  operator_id: string;
  program: string;
  /** As the operator requested it. */
  step: string | null;
  state: RunState;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  /** When a living run counts as lost. */
  lease_until: number | null;
  /** Of the request that queued it. */
  traceparent: string | null;
}

/** One exchange with the controller. */
interface HardwareEvidenceTable {
  run_id: string;
  position: number;
  at: number;
  request: string;
  answer: string;
  observed: string | null;
}

interface SubnetsTable {
  id: string;
  region_id: string;
  cidr: string;
  family: number;
  /** Fixed-width hexadecimal, so that text sorts as addresses do. */
  first_address: string;
  last_address: string;
  /** The first place that was never assigned. */
  next_index: number;
  created_at: number;
  /** Null for the usual zone. */
  reverse_zone: string | null;
  /** Only for IPv6. The gateway of an IPv4 subnet is its first address. */
  gateway: string | null;
  vlan: number | null;
}

export type ReverseZoneState = "UNKNOWN" | "PRESENT" | "ABSENT" | "FAILED";

interface ReverseZonesTable {
  zone: string;
  /** 0 if other networks share the zone. */
  may_create: number;
  state: ReverseZoneState;
  error: string | null;
  /** When all its records were last compared; 0 to compare them now. */
  compared_at: number;
}

export type PtrState = "PENDING" | "PUBLISHED" | "FAILED";

/** One row per address that was ever assigned. */
interface PublishedPtrsTable {
  address: string;
  name: string;
  zone: string;
  /** PUBLISHED: all name servers answer what is set, which may be nothing. */
  state: PtrState;
  /** The record that the service wrote last; empty for none. */
  published: string;
  /** The record of a change whose outcome is not recorded yet. */
  attempted: string | null;
  /** What the name servers answered last. */
  answered: string;
  seen_at: number | null;
  published_at: number | null;
  error: string | null;
  /** Consecutive failed attempts. */
  failures: number;
  due_at: number;
  /** When the setting last changed. */
  changed_at: number;
  /** Counts changes of the setting, so that a pass does not overlook one (optimistic locking). */
  revision: number;
  /** Of the request that last changed the setting. Null once it is published. */
  traceparent: string | null;
}

/** PTR records in our networks that the service did not write. */
interface ForeignPtrsTable {
  name: string;
  zone: string;
  ptr: string;
  seen_at: number;
}

/** One row: the lease on a pass and how the last one ended. */
interface ReverseDnsStateTable {
  id: number;
  lease_by: string | null;
  lease_until: number | null;
  discovered_at: number;
  checked_at: number | null;
  error: string | null;
}

/** One row: the last audit entry whose address was erased because of its age. */
interface AuditErasureTable {
  id: number;
  erased_to: string;
}

/** One row per family, used only as a lock: subnets of a family are added one at a time. */
interface AddressFamiliesTable {
  family: number;
}

/** Places before a subnet's `next_index` that are free again. */
interface ReleasedPlacesTable {
  subnet_id: string;
  place: number;
}

/** A place that a PROVISION item has reserved until it ends. */
interface AddressReservationsTable {
  work_id: string;
  family: number;
  subnet_id: string;
  place: number;
}

export type Term = "weekly" | "monthly";

interface OrdersTable {
  id: string;
  account_id: string;
  config_id: string;
  region_id: string;
  os_id: string;
  term: Term;
  quantity: number;
  total_cents: number;
  ssh_public_key: string | null;
  created_at: number;
}

export type ServerState = "PROVISIONING" | "ACTIVE" | "GRACE" | "SUSPENDED" | "TERMINATED";
export type DdosMode = "BASELINE" | "ADVANCED";

interface ServersTable {
  id: string;
  account_id: string;
  order_id: string;
  config_id: string;
  region_id: string;
  os_id: string;
  hostname: string | null;
  state: ServerState;
  term: Term;
  price_cents: number;
  paid_through: number | null;
  grace_until: number | null;
  auto_renew: number;
  ddos_mode: DdosMode;
  ddos_requested_mode: DdosMode | null;
  ddos_quote_accepted: number;
  machine_id: string;
  created_at: number;
  /** The last price per term for ADVANCED that the customer accepted. */
  ddos_quote_cents: number | null;
  /** Both null unless the server is SUSPENDED. The reason is shown to the customer. */
  suspended_at: number | null;
  suspension_reason: string | null;
  /** What ADVANCED adds to every renewal. 0 while BASELINE is active. */
  ddos_cents: Generated<number>;
  /** The quote for the requested ADVANCED, per term. All four are null without one. */
  ddos_offer_cents: number | null;
  ddos_offered_at: number | null;
  ddos_offer_expires_at: number | null;
  /** Null until the customer accepts the quote. */
  ddos_offer_accepted_at: number | null;
  /** The customer's own name for it. Empty if there is none. */
  label: Generated<string>;
  /** Null unless the server is TERMINATED. */
  ended_at: number | null;
}

interface AssignmentsTable {
  id: string;
  account_id: string;
  server_id: string;
  subnet_id: string;
  address: string;
  prefix_length: number;
  family: number;
  ptr: string;
  created_at: number;
  released_at: number | null;
}

interface ActionsTable {
  id: string;
  account_id: string;
  server_id: string;
  action: string;
  iso_url: string | null;
  created_at: number;
}

interface DdosRequestsTable {
  id: string;
  account_id: string;
  server_id: string;
  mode: DdosMode;
  quote_required: number;
  created_at: number;
  /** What the customer agreed to pay per term, and what the completion charged. Null until it is completed. */
  quote_cents: number | null;
  charged_cents: number | null;
  /** When the customer last got a message that the balance does not cover the charge. */
  short_told_at: number | null;
}

interface WithdrawalAddressesTable {
  id: string;
  account_id: string;
  asset: string;
  destination: string;
  label: string;
  created_at: number;
}

/** A row while withdrawals are locked. */
/** Exactly one of `account_id` and `operator_id` is set. Credential ids and public keys (COSE) are base64url. */
interface PasskeysTable {
  id: string;
  account_id: string | null;
  operator_id: string | null;
  name: string;
  credential_id: string;
  public_key: string;
  /** How often the authenticator says that it has signed. Always 0 on those that do not count. */
  counter: number;
  /** A JSON array. */
  transports: string;
  backed_up: number;
  created_at: number;
  last_used_at: number | null;
}

interface PasskeyChallengesTable {
  challenge_hash: string;
  /** What the challenge was issued for: a side to sign in to, or an owner's new passkey. */
  purpose: string;
  expires_at: number;
}

interface WithdrawalLocksTable {
  account_id: string;
  /** Null if no unlock is requested. From then on, withdrawals are not locked. */
  unlocks_at: number | null;
}

interface WithdrawalsTable {
  id: string;
  account_id: string;
  asset: string;
  destination: string;
  cents: number;
  status: "PENDING_REVIEW" | "PAID" | "REJECTED";
  transaction_id: string | null;
  created_at: number;
  resolved_at: number | null;
  /** The payout that pays it, unless that was cancelled. Nothing else may pay or reject it. */
  payout_id: string | null;
}

export type WorkKind = "PROVISION" | "SERVER_ACTION" | "WITHDRAWAL" | "DDOS" | "RECLAIM";
export type WorkState = "OPEN" | "CLAIMED" | "DONE" | "FAILED";

interface WorkTable {
  id: string;
  kind: WorkKind;
  state: WorkState;
  created_at: number;
  claimed_by: string | null;
  lease_until: number | null;
  account_id: string;
  order_id: string | null;
  server_id: string | null;
  action_id: string | null;
  withdrawal_id: string | null;
  ddos_request_id: string | null;
  /** JSON: what the operator needs to do the work. */
  detail: string;
  /** JSON: who has approved so far. */
  approvals: string;
  note: string | null;
  outcome: string | null;
  ended_at: number | null;
  /** Since when it waits for the customer to accept a quote. Such an item is shown as WAITING unless it is claimed. */
  waiting_since: number | null;
  /** JSON: the ticked lines of its checklist. */
  ticks: Generated<string>;
  /** Of its server. */
  region_id: Generated<string | null>;
  /** The operator who should do it. */
  assigned_to: Generated<string | null>;
}

/** Only those that differ from the defaults. */
interface ChecklistsTable {
  kind: string;
  /** JSON. */
  lines: string;
  /** A username. */
  changed_by: string;
  changed_at: number;
}

export type ThreadState = "OPEN" | "CLOSED";
export type MessageSender = "CUSTOMER" | "OPERATOR" | "SERVICE";

interface ThreadsTable {
  id: string;
  account_id: string;
  /** What the thread is the only one of, such as `server/<id>`. Null for any other thread. */
  topic: string | null;
  server_id: string | null;
  /** The server's region, for the desk's filter. */
  region_id: string | null;
  opened_by: "CUSTOMER" | "OPERATOR";
  subject: string;
  state: ThreadState;
  created_at: number;
  last_message_at: number;
  /** Messages that the customer has not marked as read. */
  customer_unread: number;
  /** Messages that no operator has answered. */
  operator_unread: number;
  assigned_to: string | null;
  /** Counts what the customer sees change: messages, reading and closing. */
  changes: number;
}

interface MessagesTable {
  id: string;
  thread_id: string;
  account_id: string;
  sender: MessageSender;
  /** Set on messages from operators. Customers never see it. */
  operator_id: string | null;
  text: string;
  created_at: number;
}

interface SealedTextsTable {
  message_id: string;
  /** Of the SSH key that opens it. */
  fingerprint: string;
  /** An armored age file. Null once it has expired and was erased. */
  ciphertext: string | null;
  expires_at: number | null;
}

/** Receives an account's events through one channel. */
interface SubscribersTable {
  id: string;
  account_id: string;
  channel: Channel;
  /** Between spaces, such as ` deposit.seen server.active `. Null for every event. */
  events: string | null;
  created_at: number;
  /** No event is recorded for it from then on. */
  disabled_at: number | null;
  /** Every attempt since then has failed. Null after a success. */
  failing_since: number | null;
  last_failed_at: number | null;
  /** One process sends to it until then. Afterwards, when it was last sent to. */
  leased_until: number;
  /** Nothing is sent before, because the last attempt failed. */
  paused_until: number;
}

export type Channel = "WEBHOOK" | "EMAIL";

/** The outbox: one row for each event and subscriber. */
interface DeliveriesTable {
  subscriber_id: string;
  /** The same for every subscriber to the event. */
  id: string;
  account_id: string;
  channel: Channel;
  event: string;
  /** JSON. */
  data: string;
  created_at: number;
  /** When to send it. Null once it is delivered or given up. */
  due_at: number | null;
  /** When it was first due. Retries end three days later. */
  first_due_at: number;
  attempts: number;
  /** The HTTP status of the last attempt. Null without an answer. */
  last_status: number | null;
  delivered_at: number | null;
  /** Of the request that caused the event. */
  traceparent: string | null;
}

/** A subscriber with the same id has its events and state. */
interface WebhooksTable {
  id: string;
  account_id: string;
  url: string;
  /** Sealed. */
  secret: string;
  /** Also signs until `previous_until`. Sealed. */
  previous_secret: string | null;
  previous_until: number | null;
}

/** Accounts with a `balance.low` event since their balance last covered the renewals ahead. */
interface LowBalancesTable {
  account_id: string;
  since: number;
}

interface ContactsTable {
  account_id: string;
  /** Confirmed. Null before the first confirmation. */
  email: string | null;
  confirmed_at: number | null;
  /** When the mail server refused the address for good. Nothing is sent to it until it is confirmed again. */
  refused_at: number | null;
  /** Replaces `email` once its code is confirmed. */
  pending_email: string | null;
  code_hash: string | null;
  code_expires_at: number | null;
  /** The kinds of mail that the customer does not want, comma-separated. */
  unsubscribed: string;
}

/** CONFIRMATION is the code for a new address. The customer can unsubscribe from every kind but SECURITY. */
export type MailKind = "CONFIRMATION" | "SECURITY" | SubscribedMailKind;
export type MailState = "WAITING" | "SENT" | "REFUSED" | "EXPIRED" | "UNWANTED";

interface MailsTable {
  id: string;
  account_id: string;
  kind: MailKind;
  /** What the mail is about, such as `server.grace`. Decides its text. */
  topic: string;
  /** JSON: what the text contains. Emptied when the mail has ended. */
  detail: string;
  recipient: string;
  state: MailState;
  attempts: number;
  created_at: number;
  /** Also the end of the lease of the instance that is sending the mail. */
  next_attempt_at: number;
}

interface SeenNetworksTable {
  account_id: string;
  network: string;
  seen_at: number;
}

interface DepositAddressesTable {
  id: string;
  account_id: string;
  /** The idempotency key of the request: the intent, recorded before the provider is called. */
  intent_key: string;
  asset: string;
  network: string;
  mode: string;
  /** Null until the provider has answered. */
  address: string | null;
  confirmations_required: number;
  created_at: number;
  /** Null for simulated addresses from before the service counted indexes itself. */
  keychain_id: string | null;
  derivation_index: number | null;
}

interface SavedRepliesTable {
  id: string;
  /** The highest one plus one. */
  number: number;
  name: string;
  text: string;
}

export type NoticeKind = "MAINTENANCE" | "INCIDENT";

interface NoticesTable {
  id: string;
  /** The highest one plus one. */
  number: number;
  kind: NoticeKind;
  title: string;
  text: string;
  starts_at: number;
  ends_at: number;
  /** 1 if it has no targets. */
  is_for_all: number;
  published_by: string;
  created_at: number;
}

interface NoticeTargetsTable {
  notice_id: string;
  kind: "REGION" | "SERVER";
  /** A region id or a server id. */
  target: string;
}

interface KeychainsTable {
  id: string;
  network: string;
  public_key: string;
  /** The next derivation index. Indexes are never reused. */
  next_index: number;
  created_at: number;
  next_change_index: Generated<number>;
}

interface DepositsTable {
  id: string;
  account_id: string;
  address_id: string;
  asset: string;
  network: string;
  mode: string;
  address: string;
  transaction_id: string;
  output_index: number;
  /** In the smallest unit, as text, since it may exceed 2^53. */
  amount_units: string;
  /** Stored so that the amount stays readable without the provider. */
  amount_decimals: number;
  confirmations: number;
  confirmations_required: number;
  state: "CONFIRMING" | "CREDITED";
  /** When to retry a credit that would exceed the maximum balance. An operator was notified. */
  deferred_until: number | null;
  credited_confirmations: number | null;
  usd_cents: number | null;
  rate: string | null;
  rate_at: number | null;
  /** JSON: where the rate came from. */
  rate_sources: string | null;
  seen_at: number;
  credited_at: number | null;
  /** Null while the payment is in the pool. */
  block_hash: string | null;
  block_height: number | null;
  /** 1 while the chain does not let the receiver spend it. */
  is_locked: Generated<number>;
  /** 1 once it is deep enough that no reorganization is expected. */
  is_final: Generated<number>;
  /** When a credited payment disappeared from its chain. Null again when it came back. */
  lost_at: number | null;
}

interface SettlementCursorsTable {
  mode: string;
  network: string;
  /** The last scanned block. Null until the first page is recorded completely. */
  height: number | null;
  hash: string | null;
  /** Counts recorded pages. A page requested before the latest one was recorded is stale. */
  version: number;
  updated_at: number;
  /** When a scan last reached the tip. */
  scanned_at: number | null;
  /** The instance that scans this chain, so that the others do not ask the node as well. */
  lease_by: string | null;
  lease_until: number | null;
}

interface SimulatedPaymentsTable {
  transaction_id: string;
  output_index: number;
  address: string;
  asset: string;
  amount_units: string;
  confirmations: number;
  is_gone: number;
  /** The revision of its last change, from the one row of `simulated_revisions`. */
  revision: number;
}

interface SimulatedRevisionsTable {
  id: number;
  revision: number;
}

export type OperatorRole = "support" | "finance" | "admin";

interface OperatorsTable {
  id: string;
  username: string;
  password_hash: string;
  role: OperatorRole;
  created_at: number;
  disabled_at: number | null;
  /** A JSON list of CIDRs. Null: anywhere. */
  allowed_networks: string | null;
  /** Base 32; set once a code was confirmed. */
  totp_secret: string | null;
  /** Issued, but no code confirmed yet. */
  totp_pending: string | null;
  /** The time step of the last accepted code, so that no code is accepted twice. */
  totp_last_step: number;
}

interface OperatorSessionsTable {
  id: string;
  operator_id: string;
  token_hash: string;
  created_at: number;
  last_seen_at: number;
  ends_at: number;
  ip_address: string;
  user_agent: string;
}

interface OperatorRecoveryCodesTable {
  operator_id: string;
  code_hash: string;
}

export type RateEntryKind = "PROPOSED" | "SET" | "VOIDED";

/** Append-only. One log per asset, counted by `sequence`. */
interface RatesTable {
  id: string;
  asset: string;
  sequence: number;
  kind: RateEntryKind;
  /** USD per whole coin, as a decimal string. */
  usd: string;
  at: number;
  valid_until: number;
  set_by: string;
  proposal_id: string | null;
  proposed_by: string | null;
}

export type PayoutState =
  | "PREPARED"
  | "SIGNED"
  | "BROADCAST"
  | "CONFIRMED"
  | "CANCELLED"
  | "FAILED";

interface PayoutsTable {
  id: string;
  created_at: number;
  network: string;
  asset: string;
  amount_decimals: number;
  format: "psbt" | "evm" | "monero";
  state: PayoutState;
  /** The sum of its withdrawals. */
  cents: number;
  rate: string;
  rate_at: number;
  fee_asset: string;
  fee_decimals: number;
  /** USD per coin of the fee's asset. Null when there was no rate. */
  fee_rate: string | null;
  confirmations_required: number;
  /** An unsigned payout lapses then. */
  expires_at: number;
  prepared_by: string;
  signed_by: string | null;
  broadcast_by: string | null;
  broadcast_at: number | null;
  /** Of the latest transaction that was sent, or is known before it is signed. */
  transaction_id: string | null;
  confirmations: number;
  ended_at: number | null;
  /** Why it was cancelled, failed, or is not accepted by the node. */
  error: string | null;
}

interface PayoutWithdrawalsTable {
  payout_id: string;
  withdrawal_id: string;
  position: number;
  work_id: string;
  destination: string;
  cents: number;
  amount_units: string;
}

/** The first transaction of a payout, and the ones that replace it with a higher fee. */
interface PayoutTransactionsTable {
  payout_id: string;
  attempt: number;
  unsigned: string;
  fee_units: string;
  transaction_id: string | null;
  from_address: string | null;
  /** The signed bytes, stored before they are sent for the first time. */
  raw: string | null;
  change_index: number | null;
  change_output: number | null;
  change_units: string | null;
  /** Set before the first attempt to send it. */
  sent_at: number | null;
  block_height: number | null;
  block_hash: string | null;
  searched_height: number | null;
}

interface PayoutPinsTable {
  network: string;
  pin: string;
  payout_id: string;
}

/** Transactions that paid withdrawals. None pays twice. */
interface PayingTransactionsTable {
  network: string;
  /** In lower case. */
  transaction_id: string;
  /** A withdrawal that was paid by hand, or a payout. */
  payer_id: string;
  created_at: number;
}

/** Outputs that the account key received, on chains whose transactions spend outputs. */
interface CoinsTable {
  network: string;
  transaction_id: string;
  output_index: number;
  asset: string;
  amount_units: string;
  keychain_id: string;
  /** 0: deposits. 1: change. */
  branch: number;
  derivation_index: number;
  /** Since when the node no longer has it. */
  missing_since: number | null;
  spent_at: number | null;
}

interface WalletBalancesTable {
  network: string;
  asset: string;
  units: string;
  seen_at: number;
}

/** Coins that left the house's wallet, for a payout or its fee. Movements of customers' money are in the journal. */
interface HouseEntriesTable {
  id: string;
  created_at: number;
  cause: string;
  from_account: string;
  to_account: string;
  amount_cents: number;
  network: string;
  asset: string;
  amount_units: string;
  description: string;
  reference_kind: string;
  reference_id: string;
}
