import { maxCents } from "@ironlease/contract";
import { sql } from "kysely";
import type { Db, Tx } from "#ports/db.ts";
import { entryColumns, hashEntry } from "./ledger-entry.ts";
import { prepared, preparedCommand, preparedInsert, preparedOne } from "./sql/prepared.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "./result.ts";
import type { JournalType } from "#ports/schema.ts";
import type { TxScope } from "./call.ts";

/** A movement of one customer's money, to be recorded. */
export interface Movement {
  readonly type: JournalType;
  readonly accountId: string;
  readonly cents: number;
  /** What caused it. The database refuses a second movement with the same cause. */
  readonly cause: string;
  readonly description: string;
  /** Without an id, the reference is the entry itself. */
  readonly reference: { readonly kind: string; readonly id?: string };
  /** The asset of a deposit, which has its own house account. */
  readonly asset?: string;
}

/** The recorded entry, and the spendable balance after it. */
export interface Moved {
  readonly entryId: string;
  readonly balanceCents: number;
}

/**
 * The chart of accounts: the two sides of each kind of movement. Customers have `spendable` and `held`. The other
 * sides belong to the house.
 */
const chart = {
  DEPOSIT: { from: "settlement", to: "spendable" },
  ORDER_CHARGE: { from: "spendable", to: "revenue" },
  RENEWAL_CHARGE: { from: "spendable", to: "revenue" },
  DDOS_CHARGE: { from: "spendable", to: "revenue" },
  REFUND: { from: "revenue", to: "spendable" },
  WITHDRAWAL_HOLD: { from: "spendable", to: "held" },
  WITHDRAWAL_RELEASE: { from: "held", to: "spendable" },
  WITHDRAWAL_PAYOUT: { from: "held", to: "payouts" },
  ADJUSTMENT: { from: "adjustments", to: "spendable" },
} as const satisfies Record<JournalType, { from: LedgerSide; to: LedgerSide }>;

type LedgerSide = "spendable" | "held" | "revenue" | "settlement" | "payouts" | "adjustments";

/**
 * Locks the row, so that concurrent movements of an account wait here for each other. The balance, the count and the
 * head of the chain that it returns stay true until the transaction ends.
 */
const lockBalance = preparedOne(["accountId"], (db, { accountId }: { accountId: string }) =>
  db
    .selectFrom("balances")
    .select(["available_cents", "held_cents", "entries", "chained_entries", "head_hash"])
    .where("account_id", "=", accountId)
    .forUpdate(),
);

/**
 * The balance and the head of the chain move in one statement. It runs in the pipeline with the entry, whose sequence
 * is unique: had another movement come between, the entry would fail the transaction.
 */
const moveBalance = preparedCommand(
  ["accountId", "available", "held", "entries", "chained", "head"],
  (db, { accountId, available, held, entries, chained, head }: MovedBalance) =>
    db
      .updateTable("balances")
      .set({
        available_cents: available,
        held_cents: held,
        entries,
        chained_entries: chained,
        head_hash: head,
      })
      .where("account_id", "=", accountId),
);

type MovedBalance = Readonly<{
  accountId: string;
  available: number;
  held: number;
  entries: number;
  chained: number;
  head: string | null;
}>;

const insertEntry = preparedInsert("journal", [
  "id",
  "created_at",
  "type",
  "cause",
  "from_account",
  "to_account",
  "amount_cents",
  "account_id",
  "sequence",
  "change_cents",
  "balance_after_cents",
  "held_after_cents",
  "description",
  "reference_kind",
  "reference_id",
  "hash",
]);

/** Moves money and records it, or refuses with `insufficient_balance`. A negative adjustment debits the customer. */
export async function move({ tx, core }: TxScope, movement: Movement): Promise<Result<Moved>> {
  const { type, accountId, cents } = movement;
  if (!Number.isSafeInteger(cents) || cents === 0 || Math.abs(cents) > maxCents) {
    throw new RangeError("a movement must be a bounded number of cents other than zero");
  }
  const { from, to } = cents > 0 ? chart[type] : { from: chart[type].to, to: chart[type].from };
  const amount = Math.abs(cents);
  const change = delta("spendable", from, to, amount);
  const balance = await lockBalance(tx, { accountId });
  if (balance === undefined) return refuse("insufficient_balance");
  const available = balance.available_cents + change;
  const held = balance.held_cents + delta("held", from, to, amount);
  if (!isBalance(available) || !isBalance(held)) return refuse("insufficient_balance");
  const entryId = core.ids.next("ledgerEntry");
  const createdAt = core.clock.now();
  const { description, reference } = movement;
  const referenceId = reference.id ?? entryId;
  // An account whose history is not chained yet gets its hashes from `chainEntries`, in order.
  const isChained = balance.chained_entries === balance.entries;
  const hash = isChained
    ? hashEntry({
        id: entryId,
        createdAt,
        type,
        amountCents: change,
        balanceAfterCents: available,
        description,
        referenceKind: reference.kind,
        referenceId,
        previousHash: balance.head_hash,
      })
    : null;
  const entries = balance.entries + 1;
  await moveBalance(tx, {
    accountId,
    available,
    held,
    entries,
    chained: isChained ? entries : balance.chained_entries,
    head: hash ?? balance.head_hash,
  });
  await insertEntry(tx, {
    id: entryId,
    created_at: createdAt,
    type,
    cause: movement.cause,
    from_account: ledgerAccount(from, movement),
    to_account: ledgerAccount(to, movement),
    amount_cents: amount,
    account_id: accountId,
    sequence: entries,
    change_cents: change,
    balance_after_cents: available,
    held_after_cents: held,
    description,
    reference_kind: reference.kind,
    reference_id: referenceId,
    hash,
  });
  return ok({ entryId, balanceCents: available });
}

function isBalance(cents: number): boolean {
  return cents >= 0 && cents <= maxCents;
}

/** Every account has a balance from the start, so moving money is always an update. */
export async function openBalance(tx: Tx, accountId: string): Promise<void> {
  await tx
    .insertInto("balances")
    .values({
      account_id: accountId,
      available_cents: 0,
      held_cents: 0,
      entries: 0,
      list_changes: 0,
      chained_entries: 0,
      head_hash: null,
    })
    .execute();
}

/** How many entries one step of `chainEntries` hashes, while movements of the account wait. */
const entriesPerStep = 200;

const unchainedEntries = prepared(
  ["accountId", "chained"],
  (db, { accountId, chained }: { accountId: string; chained: number }) =>
    db
      .selectFrom("journal")
      .select([...entryColumns, "sequence"])
      .where("account_id", "=", accountId)
      .where("sequence", ">", chained)
      .orderBy("sequence")
      .limit(entriesPerStep),
);

const setHash = preparedCommand(["id", "hash"], (db, { id, hash }: { id: string; hash: string }) =>
  db.updateTable("journal").set({ hash }).where("id", "=", id),
);

const setHead = preparedCommand(
  ["accountId", "chained", "head"],
  (db, { accountId, chained, head }: { accountId: string; chained: number; head: string | null }) =>
    db
      .updateTable("balances")
      .set({
        chained_entries: chained,
        head_hash: head,
        // Cached answers show entries without a hash.
        list_changes: sql`list_changes + 1`,
      })
      .where("account_id", "=", accountId),
);

/**
 * Chains the next entries of an account that earlier versions wrote without a hash, in one short transaction. The
 * balance row records how far the chain has come, so any process can continue. Returns whether entries remain.
 */
export async function chainNext(db: Pick<Db, "write">, accountId: string): Promise<boolean> {
  const step = await db.write(async (tx) => ok(await chainEntries(tx, accountId)), {}, accountId);
  return step.ok && step.value;
}

async function chainEntries(tx: Tx, accountId: string): Promise<boolean> {
  const balance = await lockBalance(tx, { accountId });
  if (balance === undefined || balance.chained_entries === balance.entries) return false;
  let head = balance.head_hash;
  let chained = balance.chained_entries;
  for (const entry of await unchainedEntries(tx, { accountId, chained })) {
    head = hashEntry({ ...entry, previousHash: head });
    chained = entry.sequence;
    await setHash(tx, { id: entry.id, hash: head });
  }
  // Rows that were deleted behind the service's back: `verify` reports them, and waiting would never end.
  if (chained === balance.chained_entries) return false;
  await setHead(tx, { accountId, chained, head });
  return chained < balance.entries;
}

function delta(side: LedgerSide, from: LedgerSide, to: LedgerSide, amount: number): number {
  if (from === side) return -amount;
  return to === side ? amount : 0;
}

function ledgerAccount(side: LedgerSide, { accountId, asset }: Movement): string {
  if (side === "spendable" || side === "held") return `customer/${accountId}/${side}`;
  return side === "settlement" ? `house/settlement/${asset ?? ""}` : `house/${side}`;
}
