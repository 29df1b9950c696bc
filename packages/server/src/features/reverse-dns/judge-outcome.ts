import type { PtrOutcome } from "#kernel/reverse-dns/record-ptrs.ts";
import type { NameServerAnswer } from "./ask-name-servers.ts";
import type { PlannedPtr } from "./plan-changes.ts";

/** Name servers that copy the zone answer with the old record for a while. */
const maxDifferences = 5;
const firstRetryMs = 2_000;
const maxRetryMs = 15 * 60_000;

/** How a record is after a pass. `refusal` says why the zone could not be changed. */
export function judgeOutcome(
  { ptr, plan, found }: PlannedPtr,
  refusal: string | undefined,
  answer: NameServerAnswer,
  now: number,
): PtrOutcome {
  const failures = ptr.failures + 1;
  const retry = { failures, dueAt: now + retryAfterMs(failures) };
  if (refusal !== undefined) return { state: "FAILED", error: refusal, ...retry };
  if (plan === "foreign" && ptr.wanted !== "") {
    const error = `The zone has another record, ${found.join(" ")}, which the service did not publish. Remove it.`;
    return { state: "FAILED", error, ...retry };
  }
  if (answer.isFailure) return { state: "FAILED", error: answer.problem ?? "", ...retry };
  // Without a setting, a foreign record is none of ours to remove.
  if (answer.isAsWanted || plan === "foreign") {
    return { state: "PUBLISHED", error: null, failures: 0, dueAt: now };
  }
  return ptr.state === "FAILED" || failures > maxDifferences
    ? { state: "FAILED", error: answer.problem ?? "", ...retry }
    : { state: "PENDING", error: null, ...retry };
}

export function retryAfterMs(failures: number): number {
  return Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 16));
}
