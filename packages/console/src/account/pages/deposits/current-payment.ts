import type { Deposit } from "@ironlease/client";

/** How long a credited payment stays the news of its page. */
const newsMs = 60 * 60_000;

/**
 * The payment to show the progress of: the oldest that still confirms, or else the newest that was credited within the
 * last hour. An older address waits for its next payment.
 */
export function currentPayment<Of extends Pick<Deposit, "state" | "creditedAt">>(
  newestFirst: readonly Of[],
  now: number,
): Of | undefined {
  const confirming = newestFirst.findLast(({ state }) => state === "CONFIRMING");
  if (confirming !== undefined) return confirming;
  return newestFirst
    .filter(({ creditedAt }) => creditedAt !== null && now - Date.parse(creditedAt) < newsMs)
    .toSorted((a, b) => (b.creditedAt ?? "").localeCompare(a.creditedAt ?? ""))[0];
}
