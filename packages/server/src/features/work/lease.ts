import { sql, type RawBuilder } from "kysely";
import { readApprovals, type Approval } from "#kernel/approvals.ts";
import { ok, refuse, type Result } from "#ports/result.ts";
import { isoTime } from "#ports/clock.ts";
import type { Job } from "./work-item.ts";
import { selectWork, toRecord } from "./work-record.ts";

/**
 * That this operator holds the item now. A lease that has lapsed is lost even while nobody else has
 * taken the item: whoever held it has been away for too long to say what is true of it.
 */
function isHeld({ core, call }: Job): RawBuilder<boolean> {
  const { operatorId } = call.operator;
  return sql`state = 'CLAIMED' and claimed_by = ${operatorId} and lease_until > ${core.clock.now()}`;
}

export interface HeldItem {
  readonly approvals: readonly Approval[];
}

/**
 * Locks the server and then its item, which this operator must hold: every other step on either waits
 * until this transaction has ended, so one of many that race has the effect.
 */
export async function lockHeld(job: Job): Promise<Result<HeldItem>> {
  const { tx, item } = job;
  if (item.serverId !== null) {
    await tx
      .selectFrom("servers")
      .select("id")
      .where("id", "=", item.serverId)
      .forUpdate()
      .execute();
  }
  const held = await tx
    .selectFrom("work")
    .select("approvals")
    .where("id", "=", item.id)
    .where(isHeld(job))
    .forUpdate()
    .executeTakeFirst();
  return held === undefined ? refuseNotHeld(job) : ok({ approvals: readApprovals(held.approvals) });
}

/** What becomes of an item that its holder lets go of. */
export type Ending =
  | {
      readonly state: "DONE" | "FAILED";
      /** What came of it, in a word. */
      readonly outcome: string;
      readonly note: string | null;
    }
  | { readonly state: "OPEN"; readonly approvals?: readonly Approval[] };

/** Lets go of an item: ended, by whom stays with it, or open for others. */
export async function letGo(job: Job, ending: Ending): Promise<Result<void>> {
  const { tx, core, item } = job;
  const update = tx.updateTable("work").where("id", "=", item.id).where(isHeld(job));
  const { numUpdatedRows } = await (
    ending.state === "OPEN"
      ? update.set({
          ...{ state: "OPEN", claimed_by: null, lease_until: null },
          ...(ending.approvals && { approvals: JSON.stringify(ending.approvals) }),
        })
      : update.set({ ...ending, lease_until: null, ended_at: core.clock.now() })
  ).executeTakeFirst();
  return numUpdatedRows === 1n ? ok() : refuseNotHeld(job);
}

/** Takes an item that is open, has lapsed or is this operator's already, for another whole lease. */
export async function takeLease(job: Job): Promise<Result<{ readonly leaseUntil: number }>> {
  const { tx, core, call, item } = job;
  const { operatorId } = call.operator;
  const now = core.clock.now();
  const leaseUntil = now + core.rules.leaseMs;
  const { numUpdatedRows } = await tx
    .updateTable("work")
    .set({ state: "CLAIMED", claimed_by: operatorId, lease_until: leaseUntil })
    .where("id", "=", item.id)
    .where(
      sql<boolean>`(state = 'OPEN'
        or (state = 'CLAIMED' and (claimed_by = ${operatorId} or lease_until <= ${now})))`,
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n ? ok({ leaseUntil }) : refuseNotHeld(job);
}

/** The same refusal for every reason, with the sentence that says what to do about this one. */
async function refuseNotHeld({ tx, core, call, item }: Job): Promise<Result<never>> {
  const row = await selectWork(tx).where("work.id", "=", item.id).executeTakeFirstOrThrow();
  const { state, claimedBy, leaseUntil, outcome } = toRecord(core, row);
  const conflict = (message: string) => refuse("conflict", { message });
  if (state === "DONE" || state === "FAILED") {
    const ended = claimedBy === null ? "This work has ended" : `${claimedBy} has ended this work`;
    return conflict(`${ended} (${outcome ?? state}). There is nothing left to do.`);
  }
  if (state === "CLAIMED") {
    const until = isoTime(leaseUntil ?? 0);
    return conflict(`${claimedBy ?? "Another operator"} holds this work until ${until}.`);
  }
  return conflict(
    row.claimedBy === call.operator.username
      ? "Your claim of this work has lapsed. Claim it again, and look at it before you go on."
      : "Nobody holds this work. Claim it first.",
  );
}
