import type { Tx } from "#ports/db.ts";
import { preparedInsert } from "./sql/prepared.ts";
import type { WorkKind } from "#ports/schema.ts";
import type { Core } from "./core.ts";

/** Something that an operator must do. */
export interface WorkItem {
  readonly kind: WorkKind;
  readonly accountId: string;
  readonly orderId?: string;
  readonly serverId?: string;
  readonly actionId?: string;
  readonly withdrawalId?: string;
  readonly ddosRequestId?: string;
  /** What the operator needs to know to do it. */
  readonly detail: Readonly<Record<string, string | number | boolean | null>>;
}

const insertWork = preparedInsert("work", [
  "id",
  "kind",
  "state",
  "created_at",
  "claimed_by",
  "lease_until",
  "account_id",
  "order_id",
  "server_id",
  "action_id",
  "withdrawal_id",
  "ddos_request_id",
  "detail",
  "approvals",
  "note",
  "outcome",
  "ended_at",
]);

/** Queues work in the transaction of the request that asks for it, so that none is ever forgotten. */
export async function queueWork(tx: Tx, core: Core, items: readonly WorkItem[]): Promise<void> {
  for (const item of items) {
    await insertWork(tx, {
      id: core.ids.next("work"),
      kind: item.kind,
      state: "OPEN",
      created_at: core.clock.now(),
      claimed_by: null,
      lease_until: null,
      account_id: item.accountId,
      order_id: item.orderId ?? null,
      server_id: item.serverId ?? null,
      action_id: item.actionId ?? null,
      withdrawal_id: item.withdrawalId ?? null,
      ddos_request_id: item.ddosRequestId ?? null,
      detail: JSON.stringify(item.detail),
      approvals: "[]",
      note: null,
      outcome: null,
      ended_at: null,
    });
  }
}

/** A server has ended: what its owner still wanted done to it is nobody's work any more. */
export async function endServerWork(
  tx: Tx,
  core: Core,
  serverId: string,
  reason: string,
): Promise<void> {
  await tx
    .updateTable("work")
    .set({
      // No operator ended it, so none is named, whoever may hold it now.
      ...{ state: "FAILED", claimed_by: null, lease_until: null },
      note: `The server has ended: ${reason}`,
      outcome: "SERVER_ENDED",
      ended_at: core.clock.now(),
    })
    .where("server_id", "=", serverId)
    .where("kind", "in", ["SERVER_ACTION", "DDOS"])
    .where("state", "in", ["OPEN", "CLAIMED"])
    .execute();
}
