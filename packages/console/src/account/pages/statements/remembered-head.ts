import type { StatementHead } from "@ironlease/statement";

/**
 * The last head that this browser verified, for each account. It stays after sign-out: the next check compares with it
 * and so finds a history that was rewritten in between.
 */
export function rememberedHead(account: string): StatementHead | undefined {
  try {
    const { count, hash, at } = JSON.parse(
      localStorage.getItem(keyOf(account)) ?? "{}",
    ) as Partial<StatementHead>;
    return typeof count === "number" && typeof hash === "string" && typeof at === "string"
      ? { account, count, hash, at }
      : undefined;
  } catch {
    // Blocked storage, or a value that this version did not write.
    return undefined;
  }
}

/**
 * Keeps the longer of two chains, because it covers the shorter one. False if there is nothing to remember yet, or
 * storage is blocked: then the next check has nothing to compare with.
 */
export function rememberHead({ account, count, hash, at }: StatementHead): boolean {
  if (hash === null) return false;
  if (count < (rememberedHead(account)?.count ?? 0)) return true;
  try {
    localStorage.setItem(keyOf(account), JSON.stringify({ count, hash, at }));
    return true;
  } catch {
    return false;
  }
}

function keyOf(account: string): string {
  return `ironlease.head.${account}`;
}
