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

/** What is derived from a session token. */
export interface SessionSecrets {
  readonly tokenHash: string;
  readonly csrfToken: string;
}

const known = new Map<string, SessionSecrets>();
const maxKnown = 10_000;
/** 32 bytes in base64url. Anything else is not one of our tokens and may be as long as a header. */
const tokenLength = 43;

/**
 * Derives both from a request's session token. Cached, because every request of a session brings the same token.
 * Whether the session is valid is checked in the database every time.
 */
export function secretsOf(sessionToken: string): SessionSecrets {
  const kept = known.get(sessionToken);
  if (kept !== undefined) return kept;
  const secrets = { tokenHash: hashSecret(sessionToken), csrfToken: csrfTokenOf(sessionToken) };
  if (sessionToken.length === tokenLength) {
    if (known.size >= maxKnown) known.clear();
    // Copied, because a slice would keep the whole header in memory.
    known.set(Buffer.from(sessionToken).toString(), secrets);
  }
  return secrets;
}

/** The CSRF token is derived from the session token, so neither works with another session. */
export function csrfTokenOf(sessionToken: string): string {
  return hashSecret(`csrf ${sessionToken}`);
}
