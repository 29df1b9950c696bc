import type { TxScope } from "../call.ts";
import { isHeld, type Claim, type WorkItem } from "./items.ts";

/** Lets an item that the operator holds wait for the customer. False when it is not held. */
export async function waitForCustomer(
  { tx, core }: TxScope,
  claim: Claim,
  detail: WorkItem["detail"],
): Promise<boolean> {
  const now = core.clock.now();
  const { numUpdatedRows } = await tx
    .updateTable("work")
    .where("id", "=", claim.workId)
    .where(isHeld(claim, now))
    .set({
      state: "OPEN",
      claimed_by: null,
      lease_until: null,
      waiting_since: now,
      detail: JSON.stringify(detail),
    })
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends the wait of a server's DDoS request, whose server the transaction holds. A claim on it stays. */
export async function resumeDdosWork(
  { tx }: TxScope,
  { accountId, serverId }: { readonly accountId: string; readonly serverId: string },
  addedDetail: WorkItem["detail"],
): Promise<void> {
  const item = await tx
    .selectFrom("work")
    .select(["id", "detail"])
    .where("account_id", "=", accountId)
    .where("server_id", "=", serverId)
    .where("kind", "=", "DDOS")
    .where("state", "in", ["OPEN", "CLAIMED"])
    .forUpdate()
    .executeTakeFirstOrThrow();
  const detail = { ...(JSON.parse(item.detail) as WorkItem["detail"]), ...addedDetail };
  await tx
    .updateTable("work")
    .set({ waiting_since: null, detail: JSON.stringify(detail) })
    .where("id", "=", item.id)
    .execute();
}
