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

/** The CSRF token of a session follows from its secret token, so that neither fits another sign-in. */
export function csrfTokenOf(sessionToken: string): string {
  return hashSecret(`csrf ${sessionToken}`);
}
