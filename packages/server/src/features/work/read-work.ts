import type { Kysely } from "kysely";
import type { Core } from "#kernel/core.ts";
import type { Result } from "#ports/result.ts";
import { ok } from "#kernel/result.ts";
import type { Schema } from "#ports/schema.ts";
import { readChecklist } from "./read-checklist.ts";
import { readDelivery } from "./read-delivery.ts";
import { reviewWithdrawal } from "./review-withdrawal.ts";
import { findWork, refuseUnknown, toRecord, type WorkRecord } from "./work-record.ts";

/** One item in its current state, including the changes of an open transaction. */
export async function readWork(
  core: Core,
  workId: string,
  db: Kysely<Schema> = core.db.read,
): Promise<Result<WorkRecord>> {
  const row = await findWork(db, { workId });
  if (row === undefined) return refuseUnknown();
  const record = toRecord(core, row);
  const item = { ...record, checklist: await readChecklist(db, record) };
  const { kind, serverId, withdrawalId } = item;
  if (withdrawalId !== null) {
    const review = await reviewWithdrawal({ db, rules: core.rules }, { ...item, withdrawalId });
    return ok({ ...item, review });
  }
  if (kind !== "PROVISION" || serverId === null) return ok(item);
  return ok({ ...item, delivery: await readDelivery(db, { ...item, serverId }) });
}
