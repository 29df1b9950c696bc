import { maxCents } from "@ironlease/contract";
import type { JournalType, Schema } from "#ports/schema.ts";
import type { Result } from "#ports/result.ts";
import type { TxScope } from "./call.ts";
import { hashEntry } from "./ledger-entry.ts";
import { ok, refuse } from "./result.ts";

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

/** A balance whose row the transaction holds, with the head of its chain. */
export type Balance = Readonly<{
  accountId: string;
  available: number;
  held: number;
  entries: number;
  chained: number;
  head: string | null;
}>;

export const columnsOfBalance = {
  accountId: "text",
  available: "integer",
  held: "integer",
  entries: "integer",
  chained: "integer",
  head: "text",
} as const;

/** What a movement writes: the balance after it, and its entry. */
export interface Posting {
  readonly balance: Balance;
  readonly entry: Schema["journal"];
}

export const columnsOfEntry = {
  id: "text",
  created_at: "integer",
  type: "text",
  cause: "text",
  from_account: "text",
  to_account: "text",
  amount_cents: "integer",
  account_id: "text",
  sequence: "integer",
  change_cents: "integer",
  balance_after_cents: "integer",
  held_after_cents: "integer",
  description: "text",
  reference_kind: "text",
  reference_id: "text",
  hash: "text",
} as const;

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

/** Computes a movement, or refuses it with `insufficient_balance`. A negative adjustment debits the customer. */
export function post(
  { clock, ids }: TxScope["core"],
  before: Balance,
  movement: Movement,
): Result<Posting> {
  const { type, accountId, cents, description, reference } = movement;
  if (!Number.isSafeInteger(cents) || cents === 0 || Math.abs(cents) > maxCents) {
    throw new RangeError("a movement must be a bounded number of cents other than zero");
  }
  const { from, to } = cents > 0 ? chart[type] : { from: chart[type].to, to: chart[type].from };
  const amount = Math.abs(cents);
  const change = delta("spendable", from, to, amount);
  const available = before.available + change;
  const held = before.held + delta("held", from, to, amount);
  if (!isBalance(available) || !isBalance(held)) return refuse("insufficient_balance");
  const id = ids.next("ledgerEntry");
  const createdAt = clock.now();
  const referenceId = reference.id ?? id;
  // An account whose history is not chained yet gets its hashes from `chainEntries`, in order.
  const isChained = before.chained === before.entries;
  const hash = isChained
    ? hashEntry({
        id,
        createdAt,
        type,
        amountCents: change,
        balanceAfterCents: available,
        description,
        referenceKind: reference.kind,
        referenceId,
        previousHash: before.head,
      })
    : null;
  const entries = before.entries + 1;
  return ok({
    balance: {
      accountId,
      available,
      held,
      entries,
      chained: isChained ? entries : before.chained,
      head: hash ?? before.head,
    },
    entry: {
      id,
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
    },
  });
}

function isBalance(cents: number): boolean {
  return cents >= 0 && cents <= maxCents;
}

function delta(side: LedgerSide, from: LedgerSide, to: LedgerSide, amount: number): number {
  if (from === side) return -amount;
  return to === side ? amount : 0;
}

function ledgerAccount(side: LedgerSide, { accountId, asset }: Movement): string {
  if (side === "spendable" || side === "held") return `customer/${accountId}/${side}`;
  return side === "settlement" ? `house/settlement/${asset ?? ""}` : `house/${side}`;
}
