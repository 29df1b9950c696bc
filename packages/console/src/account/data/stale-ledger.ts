import type { Deposit, ReadLedgerAnswer } from "@ironlease/client";

/**
 * Whether a ledger that was read earlier lacks the entry of a deposit that is credited. A deposit worth less than
 * a cent has no entry; one that is older than the oldest entry of a full list has left it.
 */
export function isLedgerBehind(
  ledger: ReadLedgerAnswer | undefined,
  deposits: readonly Deposit[],
): boolean {
  if (ledger === undefined) return false;
  const recorded = new Set(ledger.entries.map(({ reference }) => reference.id));
  const oldest = ledger.entries.length < listLength ? "" : (ledger.entries.at(-1)?.createdAt ?? "");
  return deposits.some(
    ({ id, usd, creditedAt }) =>
      creditedAt !== null && (usd ?? 0) > 0 && creditedAt > oldest && !recorded.has(id),
  );
}

/** Whether one of them was not credited yet when they were read before. */
export function isNewlyCredited(
  before: readonly Deposit[] | undefined,
  deposits: readonly Deposit[],
): boolean {
  if (before === undefined) return false;
  const known = new Set(before.filter(({ creditedAt }) => creditedAt !== null).map(({ id }) => id));
  return deposits.some(({ id, creditedAt }) => creditedAt !== null && !known.has(id));
}

/** As many entries as the service lists. */
const listLength = 100;
