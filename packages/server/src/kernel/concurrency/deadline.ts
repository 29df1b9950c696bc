/**
 * Gives a call a deadline. When it passes, the promise rejects with the error from `onTimeout`, the call's
 * signal aborts with the same error, and whatever the call does afterwards is ignored.
 */
export async function withDeadline<T>(
  deadlineMs: number,
  onTimeout: () => Error,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const aborter = new AbortController();
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = onTimeout();
    reject(error);
    aborter.abort(error);
  }, deadlineMs);
  try {
    return await Promise.race([call(aborter.signal), timedOut]);
  } finally {
    clearTimeout(timer);
  }
}
