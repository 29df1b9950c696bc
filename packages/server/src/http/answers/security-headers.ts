/** What a page of ours may do: load our own files, and nothing else. */
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Whether browsers are told to use HTTPS only, for this host or for its subdomains too. */
export type Hsts = "off" | "on" | "include-subdomains";

const hstsValues = {
  on: "max-age=63072000",
  "include-subdomains": "max-age=63072000; includeSubDomains",
} as const;

/** What a listener sends with every response. */
export function headersOfAll(hsts: Hsts): Readonly<Record<string, string>> {
  if (hsts === "off") return securityHeaders;
  return { "strict-transport-security": hstsValues[hsts], ...securityHeaders };
}

/**
 * On every response, whatever it is: what is no page may do nothing when a browser shows it as one,
 * nobody may frame or embed us, and no answer of the API is ever kept by a cache.
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
