import type { Core } from "#kernel/core.ts";
import { listChanges } from "#kernel/lists-version.ts";
import { preparedOne } from "#kernel/sql/prepared.ts";

export interface AccountChanges {
  readonly availableCents: number;
  readonly heldCents: number;
  readonly unread: number;
  /** Grows with every change to the account's ledger or lists. */
  readonly changes: number;
  /** Grows with every change to a thread that the account sees. */
  readonly threadChanges: number;
}

const selectChanges = preparedOne(["accountId"], (db, { accountId }: { accountId: string }) =>
  db
    .selectFrom("balances")
    .select(["available_cents as availableCents", "held_cents as heldCents"])
    .select(listChanges.as("changes"))
    .where("account_id", "=", accountId),
);

const sumThreads = preparedOne(["accountId"], (db, { accountId }: { accountId: string }) =>
  db
    .selectFrom("threads")
    .select(({ fn }) => [
      fn.sum<number | string | null>("customer_unread").as("unread"),
      fn.sum<number | string | null>("changes").as("threadChanges"),
    ])
    .where("account_id", "=", accountId),
);

/** What a page polls to learn whether to read its lists again. */
export async function readAccountChanges(
  { db: { read } }: Core,
  accountId: string,
): Promise<AccountChanges> {
  const [balance, threads] = await Promise.all([
    selectChanges(read, { accountId }),
    sumThreads(read, { accountId }),
  ]);
  const { availableCents = 0, heldCents = 0, changes = 0 } = balance ?? {};
  const unread = Number(threads?.unread ?? 0);
  const threadChanges = Number(threads?.threadChanges ?? 0);
  return { availableCents, heldCents, changes, unread, threadChanges };
}
