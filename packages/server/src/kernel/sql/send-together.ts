/**
 * Awaits statements of one transaction that were begun together. On PostgreSQL they share a round trip and run in the
 * order in which they were begun (ADR 16). Waits for all of them even if one fails, because none may be sent after the
 * transaction has ended. Throws the first failure, which is the cause of those after it.
 */
export async function sendTogether<const T extends readonly Promise<unknown>[]>(
  ...begun: T
): Promise<{ -readonly [Place in keyof T]: Awaited<T[Place]> }> {
  await Promise.allSettled(begun);
  return Promise.all(begun);
}
