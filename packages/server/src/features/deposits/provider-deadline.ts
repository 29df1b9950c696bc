import { withDeadline } from "#kernel/concurrency/deadline.ts";
import { SettlementUnavailable, type Settlement } from "#ports/settlement.ts";

/** Calls the provider with its deadline, so that a hanging provider blocks neither a request nor the watch. */
export function callProvider<T>(
  { answerMs }: Settlement,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const onTimeout = () =>
    new SettlementUnavailable(`the provider did not answer within ${answerMs} ms`);
  return withDeadline(answerMs, onTimeout, call);
}
