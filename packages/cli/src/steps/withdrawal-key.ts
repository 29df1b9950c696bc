import { createHash, randomUUID } from "node:crypto";

export interface Withdrawal {
  readonly asset: string;
  readonly destination: string;
  readonly usd: string | number;
}

const syntax = /^([0-9a-f-]{36})-w([0-9a-f]{20})$/;

/**
 * An idempotency key that carries a digest of its withdrawal. The service never shows a destination, so
 * the digest is what proves later that a used key belongs to this request and account.
 */
export function newWithdrawalKey(username: string, withdrawal: Withdrawal): string {
  const unique = randomUUID();
  return `${unique}-w${digestOf(unique, username, withdrawal)}`;
}

/** Whether the key belongs to this withdrawal. Undefined for a key without a digest. */
export function isKeyOf(
  key: string,
  username: string,
  withdrawal: Withdrawal,
): boolean | undefined {
  const [, unique, digest] = syntax.exec(key) ?? [];
  if (unique === undefined) return undefined;
  return digest === digestOf(unique, username, withdrawal);
}

function digestOf(unique: string, username: string, { asset, destination, usd }: Withdrawal) {
  const text = JSON.stringify([unique, username, asset, destination, Number(usd)]);
  return createHash("sha256").update(text).digest("hex").slice(0, 20);
}
