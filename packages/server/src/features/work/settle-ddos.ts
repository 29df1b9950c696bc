import { ok, refuse, type Result } from "#ports/result.ts";
import type { Deed } from "./record-step.ts";
import type { Job } from "./work-item.ts";

/**
 * The mode that was asked for is in force. Completing ADVANCED records that the customer has accepted
 * the quote, and what it was when the operator says so.
 */
export async function applyDdosMode(
  job: Job,
  quoteCents: number | undefined,
): Promise<Result<Deed>> {
  const { item } = job;
  const mode = item.ddosMode;
  if (mode === null) throw new Error(`the work ${item.id} asks for no mode`);
  const { numUpdatedRows } = await queuedChange(job)
    .set({
      ...{ ddos_mode: mode, ddos_requested_mode: null },
      ...(mode === "ADVANCED" && { ddos_quote_accepted: 1 }),
      ...(quoteCents !== undefined && { ddos_quote_cents: quoteCents }),
    })
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return refuseGone();
  const detail = { mode, ...(quoteCents !== undefined && { quoteCents }) };
  return ok({ action: "server.set_ddos_mode", subject: item.subjectId, detail });
}

/** The mode in force stays, and nothing is asked for any more. */
export async function declineDdosMode(job: Job, reason: string): Promise<Result<Deed>> {
  const { item } = job;
  const { numUpdatedRows } = await queuedChange(job)
    .set({ ddos_requested_mode: null })
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return refuseGone();
  const detail = { mode: item.ddosMode, reason };
  return ok({ action: "server.decline_ddos_mode", subject: item.subjectId, detail });
}

function queuedChange({ tx, item }: Job) {
  return tx
    .updateTable("servers")
    .where("id", "=", item.subjectId)
    .where("state", "<>", "TERMINATED")
    .where("ddos_requested_mode", "=", item.ddosMode);
}

function refuseGone(): Result<never> {
  return refuse("conflict", { message: "The customer does not ask for this mode any more." });
}
