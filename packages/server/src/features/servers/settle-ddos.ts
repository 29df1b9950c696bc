import { applyRequestedDdosMode } from "#kernel/ddos-quotes.ts";
import { declineRequestedDdosMode } from "#kernel/server-states.ts";
import type {
  Completion,
  Effect,
  Failure,
  HeldJob,
  Job,
  Postponed,
  WorkEffect,
} from "#kernel/work-effects.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import { chargeQuote, type Charged } from "./charge-quote.ts";

/** DDOS work: an operator applies or declines the mode that the customer requested. */
export const ddosEffect: WorkEffect = { complete: apply, fail: decline };

/** Completing ADVANCED also charges the quote that the customer accepted, or told the operator that they accept. */
async function apply(job: HeldJob, completion: Completion): Promise<Result<Effect | Postponed>> {
  const { tx, item } = job;
  const mode = item.ddosMode;
  if (mode === null) throw new Error(`the work ${item.id} requests no mode`);
  const charged: Result<Charged | Postponed> =
    mode === "ADVANCED" ? await chargeQuote(job, completion) : ok({});
  if (!charged.ok) return charged;
  if ("refusal" in charged.value) return ok(charged.value);
  const { quoteCents, chargedCents } = charged.value;
  const isApplied = await applyRequestedDdosMode(tx, item.subjectId, { mode, quoteCents });
  if (!isApplied) return notRequested;
  const detail = {
    mode,
    ...(quoteCents !== undefined && { quoteCents }),
    ...(chargedCents !== undefined && { chargedCents }),
  };
  const sideEffect = { action: "server.set_ddos_mode", subject: item.subjectId, detail };
  return ok({ outcome: "APPLIED", report: `DDoS mode ${mode}: applied.`, sideEffect });
}

async function decline({ tx, item }: Job, { reason }: Failure): Promise<Result<Effect>> {
  const isDeclined = await declineRequestedDdosMode(tx, item.subjectId, item.ddosMode);
  if (!isDeclined) return notRequested;
  const detail = { mode: item.ddosMode, reason };
  const sideEffect = { action: "server.decline_ddos_mode", subject: item.subjectId, detail };
  return ok({
    outcome: "DECLINED",
    report: `DDoS mode ${item.ddosMode}: not applied.`,
    sideEffect,
  });
}

const notRequested = refuse("conflict", {
  message: "The customer no longer requests this mode.",
});
