import { SettlementUnavailable } from "#ports/settlement.ts";

/**
 * Waits for the provider so long and no longer: one that hangs must not hold a request or the whole
 * watch. The call is told through its signal, and whatever it does after that is ignored.
 */
export async function boundedCall<T>(
  answerMs: number,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const overdue = new AbortController();
  const { promise: timeUp, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new SettlementUnavailable(`the provider did not answer within ${answerMs} ms`);
    reject(error);
    overdue.abort(error);
  }, answerMs);
  try {
    return await Promise.race([call(overdue.signal), timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
