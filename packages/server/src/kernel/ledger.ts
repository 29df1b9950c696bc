import { sql } from "kysely";
import type { Db, Tx } from "#ports/db.ts";
import { entryColumns, hashEntry } from "./ledger-entry.ts";
import {
  columnsOfBalance,
  columnsOfEntry,
  post,
  type Balance,
  type Movement,
  type Posting,
} from "./ledger-posting.ts";
import { jsonRows, keysOf, toJson } from "./sql/json-rows.ts";
import {
  prepared,
  preparedCommand,
  preparedInsert,
  preparedInserts,
  preparedOne,
} from "./sql/prepared.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "./result.ts";
import type { TxScope } from "./call.ts";

/** The recorded entry, and the spendable balance after it. */
export interface Moved {
  readonly entryId: string;
  readonly balanceCents: number;
}

const balanceColumns = [
  "account_id as accountId",
  "available_cents as available",
  "held_cents as held",
  "entries",
  "chained_entries as chained",
  "head_hash as head",
] as const;

/**
 * Locks the row, so that concurrent movements of an account wait here for each other. The balance, the count and the
 * head of the chain that it returns stay true until the transaction ends.
 */
const lockBalance = preparedOne(["accountId"], (db, { accountId }: { accountId: string }) =>
  db.selectFrom("balances").select(balanceColumns).where("account_id", "=", accountId).forUpdate(),
);

const lockBalances = prepared(["accounts"], (db, { accounts }: { accounts: string }) =>
  db
    .selectFrom("balances")
    .select(balanceColumns)
    .where(
      "account_id",
      "in",
      sql<string>`(select id from ${jsonRows({ id: "text" }, accounts)} as each)`,
    )
    .orderBy("account_id")
    .forUpdate(),
);

/**
 * The balance and the head of the chain move in one statement. It runs in the pipeline with the entry, whose sequence
 * is unique: had another movement come between, the entry would fail the transaction.
 */
const moveBalance = preparedCommand(
  ["accountId", "available", "held", "entries", "chained", "head"],
  (db, { accountId, available, held, entries, chained, head }: Balance) =>
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

const moveBalances = preparedCommand(["moved"], (db, { moved }: { moved: string }) =>
  db
    .updateTable("balances")
    .from(jsonRows<Balance>(columnsOfBalance, moved).as("moved"))
    .set((eb) => ({
      available_cents: eb.ref("moved.available"),
      held_cents: eb.ref("moved.held"),
      entries: eb.ref("moved.entries"),
      chained_entries: eb.ref("moved.chained"),
      head_hash: eb.ref("moved.head"),
    }))
    .whereRef("balances.account_id", "=", "moved.accountId"),
);

const insertEntry = preparedInsert("journal", keysOf(columnsOfEntry));
const insertEntries = preparedInserts("journal", columnsOfEntry);

/** Moves money and records it, or refuses with `insufficient_balance`. */
export async function move({ tx, core }: TxScope, movement: Movement): Promise<Result<Moved>> {
  const before = await lockBalance(tx, { accountId: movement.accountId });
  if (before === undefined) return refuse("insufficient_balance");
  const posted = post(core, before, movement);
  if (!posted.ok) return posted;
  const { balance, entry } = posted.value;
  await moveBalance(tx, balance);
  await insertEntry(tx, entry);
  return ok({ entryId: entry.id, balanceCents: balance.available });
}

/**
 * Balances whose rows the transaction holds. Movements happen in memory, each after those before it, until `write`
 * records them together.
 */
export class HeldBalances {
  readonly #scope: TxScope;
  readonly #balances: Map<string, Balance>;
  readonly #moved = new Set<string>();
  readonly #entries: Posting["entry"][] = [];

  private constructor(scope: TxScope, balances: readonly Balance[]) {
    this.#scope = scope;
    this.#balances = new Map(balances.map((balance) => [balance.accountId, balance]));
  }

  /** Locks the balances in the order of their accounts, so that holders do not deadlock. */
  static async lock(scope: TxScope, accountIds: readonly string[]): Promise<HeldBalances> {
    const accounts = toJson(
      { id: "text" },
      [...new Set(accountIds)].map((id) => ({ id })),
    );
    return new HeldBalances(scope, await lockBalances(scope.tx, { accounts }));
  }

  /** Whether the account could pay. */
  move(movement: Movement): boolean {
    const before = this.#balances.get(movement.accountId);
    if (before === undefined) throw new Error(`the balance of ${movement.accountId} is not held`);
    const posted = post(this.#scope.core, before, movement);
    if (!posted.ok) return false;
    const { balance, entry } = posted.value;
    this.#balances.set(balance.accountId, balance);
    this.#moved.add(balance.accountId);
    this.#entries.push(entry);
    return true;
  }

  async write(): Promise<void> {
    if (this.#entries.length === 0) return;
    const { tx } = this.#scope;
    const balances = [...this.#balances.values()];
    const moved = balances.filter(({ accountId }) => this.#moved.has(accountId));
    await moveBalances(tx, { moved: toJson(columnsOfBalance, moved) });
    await insertEntries(tx, this.#entries);
  }
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
  if (balance === undefined || balance.chained === balance.entries) return false;
  let head = balance.head;
  let chained = balance.chained;
  for (const entry of await unchainedEntries(tx, { accountId, chained })) {
    head = hashEntry({ ...entry, previousHash: head });
    chained = entry.sequence;
    await setHash(tx, { id: entry.id, hash: head });
  }
  // Rows that were deleted behind the service's back: `verify` reports them, and waiting would never end.
  if (chained === balance.chained) return false;
  await setHead(tx, { accountId, chained, head });
  return chained < balance.entries;
}
