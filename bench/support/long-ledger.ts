import { hashEntry } from "#server/kernel/ledger-entry.ts";
import type { Core } from "#server/kernel/core.ts";
import { ok } from "#server/kernel/result.ts";

/** Rows per statement. PostgreSQL allows 65,535 values. */
const chunk = 2_000;

/** Adds chained entries to a ledger much faster than by moving money so often. */
export async function lengthenLedger(core: Core, accountId: string, count: number): Promise<void> {
  const { db, ids, clock } = core;
  for (let added = 0; added < count; added += chunk) {
    await db.write(async (tx) => {
      const balance = await tx
        .selectFrom("balances")
        .select(["available_cents", "held_cents", "entries", "head_hash"])
        .where("account_id", "=", accountId)
        .forUpdate()
        .executeTakeFirstOrThrow();
      let { available_cents: available, entries, head_hash: head } = balance;
      const rows = Array.from({ length: Math.min(chunk, count - added) }, () => {
        const id = ids.next("ledgerEntry");
        const createdAt = clock.now();
        entries += 1;
        available += 1;
        head = hashEntry({
          id,
          createdAt,
          type: "ADJUSTMENT",
          amountCents: 1,
          balanceAfterCents: available,
          description: "Credit for an outage",
          referenceKind: "adjustment",
          referenceId: id,
          previousHash: head,
        });
        return {
          id,
          created_at: createdAt,
          type: "ADJUSTMENT" as const,
          cause: `bench/${id}`,
          from_account: "house/adjustments",
          to_account: `customer/${accountId}/spendable`,
          amount_cents: 1,
          account_id: accountId,
          sequence: entries,
          change_cents: 1,
          balance_after_cents: available,
          held_after_cents: balance.held_cents,
          description: "Credit for an outage",
          reference_kind: "adjustment",
          reference_id: id,
          hash: head,
        };
      });
      await tx.insertInto("journal").values(rows).execute();
      await tx
        .updateTable("balances")
        .set({ available_cents: available, entries, chained_entries: entries, head_hash: head })
        .where("account_id", "=", accountId)
        .execute();
      return ok();
    });
  }
}
