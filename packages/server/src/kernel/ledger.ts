import { maxCents } from "@ironlease/contract";
import { sql } from "kysely";
import type { Tx } from "#ports/db.ts";
import { prepared, preparedInsert } from "./sql/prepared.ts";
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

interface Changes {
  readonly accountId: string;
  readonly available: number;
  readonly held: number;
}

/** The conditions ensure that concurrent movements never take more than the balance. */
const change = prepared(
  ["accountId", "available", "held"],
  (db, { accountId, available, held }: Changes & Record<string, string | number>) =>
    db
      .updateTable("balances")
      .set({
        available_cents: sql`available_cents + ${available}`,
        held_cents: sql`held_cents + ${held}`,
        entries: sql`entries + 1`,
      })
      .where("account_id", "=", accountId)
      .where(sql<boolean>`available_cents + ${available} between 0 and ${maxCents}`)
      .where(sql<boolean>`held_cents + ${held} between 0 and ${maxCents}`)
      .returning(["available_cents", "held_cents", "entries"]),
);

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
]);

/** Moves money and records it, or refuses with `insufficient_balance`. A negative adjustment debits the customer. */
export async function move({ tx, core }: TxScope, movement: Movement): Promise<Result<Moved>> {
  const { type, accountId, cents } = movement;
  if (!Number.isSafeInteger(cents) || cents === 0 || Math.abs(cents) > maxCents) {
    throw new RangeError("a movement must be a bounded number of cents other than zero");
  }
  const { from, to } = cents > 0 ? chart[type] : { from: chart[type].to, to: chart[type].from };
  const amount = Math.abs(cents);
  const available = delta("spendable", from, to, amount);
  const [balance] = await change(tx, {
    accountId,
    available,
    held: delta("held", from, to, amount),
  });
  if (balance === undefined) return refuse("insufficient_balance");
  const entryId = core.ids.next("ledgerEntry");
  await insertEntry(tx, {
    id: entryId,
    created_at: core.clock.now(),
    type,
    cause: movement.cause,
    from_account: ledgerAccount(from, movement),
    to_account: ledgerAccount(to, movement),
    amount_cents: amount,
    account_id: accountId,
    sequence: balance.entries,
    change_cents: available,
    balance_after_cents: balance.available_cents,
    held_after_cents: balance.held_cents,
    description: movement.description,
    reference_kind: movement.reference.kind,
    reference_id: movement.reference.id ?? entryId,
  });
  return ok({ entryId, balanceCents: balance.available_cents });
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
    })
    .execute();
}

function delta(side: LedgerSide, from: LedgerSide, to: LedgerSide, amount: number): number {
  if (from === side) return -amount;
  return to === side ? amount : 0;
}

function ledgerAccount(side: LedgerSide, { accountId, asset }: Movement): string {
  if (side === "spendable" || side === "held") return `customer/${accountId}/${side}`;
  return side === "settlement" ? `house/settlement/${asset ?? ""}` : `house/${side}`;
}
