import { limits } from "@ironlease/contract";
import type { Core } from "#kernel/core.ts";
import type { JournalType } from "#ports/schema.ts";

/** A ledger entry about a server, for operators. */
export interface Charge {
  readonly id: string;
  readonly createdAt: number;
  readonly type: JournalType;
  readonly amountCents: number;
  readonly description: string;
}

/** The latest entries about a server, newest first, and the charge of its order. */
export async function listCharges(
  { db }: Core,
  server: { readonly id: string; readonly accountId: string; readonly orderId: string },
): Promise<readonly Charge[]> {
  const entries = db.read
    .selectFrom("journal")
    .select([
      "id",
      "created_at as createdAt",
      "type",
      "change_cents as amountCents",
      "description",
    ]);
  const [own, order] = await Promise.all([
    entries
      .where("account_id", "=", server.accountId)
      .where("reference_id", "=", server.id)
      .orderBy("sequence", "desc")
      .limit(limits.listLength)
      .execute(),
    entries.where("cause", "=", `order/${server.orderId}`).execute(),
  ]);
  return [...own, ...order];
}
