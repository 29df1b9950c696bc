import type { Deposit } from "@ironlease/client";

/** Whether a deposit was credited since the previous read. Before the first read, nothing is known to be credited. */
export function isNewlyCredited(
  previous: readonly Deposit[] | undefined,
  deposits: readonly Deposit[],
): boolean {
  const known = new Set(
    previous?.filter(({ creditedAt }) => creditedAt !== null).map(({ id }) => id),
  );
  return deposits.some(({ id, creditedAt }) => creditedAt !== null && !known.has(id));
}
