/** Pages may load files only from their own origin. */
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Whether to tell browsers to use HTTPS only, for this host or also for its subdomains. */
export type Hsts = "off" | "on" | "include-subdomains";

const hstsValues = {
  on: "max-age=63072000",
  "include-subdomains": "max-age=63072000; includeSubDomains",
} as const;

/** The headers of every response. */
export function commonHeaders(hsts: Hsts): Readonly<Record<string, string>> {
  if (hsts === "off") return securityHeaders;
  return { "strict-transport-security": hstsValues[hsts], ...securityHeaders };
}

/**
 * A browser that shows an API answer as a page runs nothing in it. No site can frame or embed a response,
 * and no cache stores an API answer.
 */
export const securityHeaders = {
  "x-content-type-options": "nosniff",
  "content-security-policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
  "cache-control": "no-store",
} as const;
