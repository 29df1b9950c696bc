import type { Deposit, ReadLedgerAnswer } from "@ironlease/client";

/**
 * Whether the cached ledger lacks the entry of a credited deposit. A deposit worth less than a cent has no
 * entry, and an old one may have dropped off a full list.
 */
export function isLedgerStale(
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

/** Whether a deposit was credited since the previous read. */
export function isNewlyCredited(
  previous: readonly Deposit[] | undefined,
  deposits: readonly Deposit[],
): boolean {
  if (previous === undefined) return false;
  const known = new Set(
    previous.filter(({ creditedAt }) => creditedAt !== null).map(({ id }) => id),
  );
  return deposits.some(({ id, creditedAt }) => creditedAt !== null && !known.has(id));
}

/** The service lists at most this many entries. */
const listLength = 100;
