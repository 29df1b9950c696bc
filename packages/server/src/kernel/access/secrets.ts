import { hash, timingSafeEqual } from "node:crypto";

/**
 * How secrets of high entropy (session tokens, API keys, recovery codes) are stored: a plain SHA-256
 * is enough for 128 random bits and more, and cheap enough for every request.
 */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "base64url");
}

/** Compares in a time that does not depend on where the two differ. */
export function sameText(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** What follows from the token of a session. */
export interface SessionSecrets {
  readonly tokenHash: string;
  readonly csrfToken: string;
}

const known = new Map<string, SessionSecrets>();
const maxKnown = 10_000;
/** 32 bytes in base64url. Anything else is no token of ours, and may be as long as a header. */
const tokenLength = 43;

/**
 * Both for a token that came with a request. Every request of a session brings the same one, so what
 * follows from it is kept; whether the session lives is asked of the database every time.
 */
export function secretsOf(sessionToken: string): SessionSecrets {
  const kept = known.get(sessionToken);
  if (kept !== undefined) return kept;
  const secrets = { tokenHash: hashSecret(sessionToken), csrfToken: csrfTokenOf(sessionToken) };
  if (sessionToken.length === tokenLength) {
    if (known.size >= maxKnown) known.clear();
    // A copy: a slice of the header that it came in would keep all of that header alive.
    known.set(Buffer.from(sessionToken).toString(), secrets);
  }
  return secrets;
}

/** The CSRF token of a session follows from its secret token, so that neither fits another sign-in. */
export function csrfTokenOf(sessionToken: string): string {
  return hashSecret(`csrf ${sessionToken}`);
}
