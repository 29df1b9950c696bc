import { claimWork as claim } from "#server/features/work/claim-work.ts";
import { completeWork as complete } from "#server/features/work/complete-work.ts";
import type { CompletionInput } from "#server/features/work/completion.ts";
import { failWork as fail } from "#server/features/work/fail-work.ts";
import { workEffects } from "#server/http/handlers/operator/work-effects.ts";
import type { OperatorCall } from "#server/kernel/call.ts";
import type { Core } from "#server/kernel/core.ts";
import type { Failure } from "#server/kernel/work-effects.ts";

// Tests of other features must not import `features/work`, so this file re-exports it.
export { readWork } from "#server/features/work/read-work.ts";
export { offerQuote } from "#server/features/work/offer-quote.ts";
export { releaseWork } from "#server/features/work/release-work.ts";
export { tickWork } from "#server/features/work/tick-work.ts";
export type { CompletionInput } from "#server/features/work/completion.ts";

/** Claims work with the effects that the service composes. */
export function claimWork(core: Core, call: OperatorCall, workId: string) {
  return claim(core, call, workId, workEffects);
}

/** Completes work with the effects that the service composes. */
export function completeWork(
  core: Core,
  call: OperatorCall,
  workId: string,
  input: CompletionInput,
) {
  return complete(core, call, { workId, ...input }, workEffects);
}

/** Fails work with the effects that the service composes. */
export function failWork(core: Core, call: OperatorCall, workId: string, input: Failure) {
  return fail(core, call, { workId, ...input }, workEffects);
}
