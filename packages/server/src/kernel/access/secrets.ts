import { hash, timingSafeEqual } from "node:crypto";

/**
 * Hashes high-entropy secrets (session tokens, API keys, recovery codes) for storage. A plain SHA-256 is enough for
 * 128 random bits or more, and cheap enough for every request.
 */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "base64url");
}

/** Compares in constant time. */
export function sameText(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The values derived from a session token. */
export interface SessionSecrets {
  readonly tokenHash: string;
  readonly csrfToken: string;
}

const cache = new Map<string, SessionSecrets>();
const maxCached = 10_000;
/** 32 bytes in base64url. Anything else is not one of our tokens and may be as long as a header. */
const tokenLength = 43;

/**
 * Derives both values from a request's session token. Cached, because every request of a session has the same token.
 * The database still checks on every request that the session is valid.
 */
export function secretsOf(sessionToken: string): SessionSecrets {
  const cached = cache.get(sessionToken);
  if (cached !== undefined) return cached;
  const secrets = { tokenHash: hashSecret(sessionToken), csrfToken: csrfTokenOf(sessionToken) };
  if (sessionToken.length === tokenLength) {
    if (cache.size >= maxCached) cache.clear();
    // Copied, because a slice would keep the whole header in memory.
    cache.set(Buffer.from(sessionToken).toString(), secrets);
  }
  return secrets;
}

/** The CSRF token is derived from the session token, so neither works with another session. */
export function csrfTokenOf(sessionToken: string): string {
  return hashSecret(`csrf ${sessionToken}`);
}
