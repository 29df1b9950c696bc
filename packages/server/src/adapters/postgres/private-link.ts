import ipaddr from "ipaddr.js";

/** What to say of a link that is not. */
export const notPrivate =
  "the way to PostgreSQL is not encrypted and checked: add sslmode=verify-full to IRONLEASE_DATABASE_URL, and sslrootcert=FILE for an authority of your own";

/**
 * Whether nobody on the way can read or change what goes to the database: it is on this machine, or TLS
 * is on and the certificate is checked. The weaker modes check nothing, or will not in the driver's next
 * version.
 */
export function isPrivateLink(databaseUrl: string): boolean {
  const { hostname, searchParams } = new URL(databaseUrl);
  const host = searchParams.get("host") ?? decodeURIComponent(hostname);
  const isSocket = host === "" || host.startsWith("/");
  return isSocket || isLoopback(host) || isVerified(searchParams);
}

function isLoopback(host: string): boolean {
  const address = host.replaceAll(/^\[|\]$/g, "");
  if (address === "localhost") return true;
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}

function isVerified(parameters: URLSearchParams): boolean {
  const mode = parameters.get("sslmode");
  if (mode !== null) return mode === "verify-full";
  return ["true", "1"].includes(parameters.get("ssl") ?? "") || parameters.has("sslrootcert");
}
