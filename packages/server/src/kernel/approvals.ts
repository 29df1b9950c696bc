import { sql } from "kysely";
import type { Tx } from "#ports/db.ts";
import { audit } from "./audit.ts";
import { systemCall, type TxScope } from "./call.ts";
import { setApprovals } from "./work-queue/items.ts";

/** One operator's approval of a large withdrawal, with notes for the second operator. */
export interface Approval {
  readonly operatorId: string;
  readonly username: string;
  readonly at: number;
  /** Set when the first operator has paid the withdrawal already. */
  readonly transactionId?: string;
  readonly note?: string;
  /** When the operator was disabled. The approval stays visible but no longer counts. */
  readonly voidedAt?: number;
}

export function readApprovals(stored: string): readonly Approval[] {
  return JSON.parse(stored) as readonly Approval[];
}

/** The approvals of an item, read without waiting for its lock. */
export async function readApprovalsOf(tx: Tx, workId: string): Promise<readonly Approval[]> {
  const row = await tx
    .selectFrom("work")
    .select("approvals")
    .where("id", "=", workId)
    .executeTakeFirstOrThrow();
  return readApprovals(row.approvals);
}

export function counts({ voidedAt }: Approval): boolean {
  return voidedAt === undefined;
}

/**
 * Permanently voids every approval of an operator who is being disabled. Enabling the operator again does not restore
 * them. The items are locked, so a completion that counts one of these approvals has already committed.
 */
export async function voidApprovals(
  { tx, core }: TxScope,
  { id, username }: { readonly id: string; readonly username: string },
): Promise<void> {
  const items = await tx
    .selectFrom("work")
    .select(["id", "withdrawal_id as withdrawalId", "approvals"])
    .where("kind", "=", "WITHDRAWAL")
    .where("state", "in", ["OPEN", "CLAIMED"])
    .where(sql<boolean>`approvals like ${`%"${id}"%`}`)
    .orderBy("id")
    .forUpdate()
    .execute();
  for (const item of items) {
    const approvals = readApprovals(item.approvals);
    const isVoided = (approval: Approval) => approval.operatorId === id && counts(approval);
    if (!approvals.some(isVoided)) continue;
    const voidedAt = core.clock.now();
    const left = approvals.map((given) => (isVoided(given) ? { ...given, voidedAt } : given));
    await setApprovals(tx, item.id, JSON.stringify(left));
    const step = { tx, core, call: systemCall };
    const detail = { workId: item.id, operator: username };
    await audit(step, "withdrawal.void_approval", item.withdrawalId ?? item.id, detail);
  }
}
