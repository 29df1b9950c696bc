import ipaddr from "ipaddr.js";
import { databaseHosts } from "#kernel/database-hosts.ts";

/** The warning about a connection that is not private. */
export const notPrivate =
  "the connection to PostgreSQL is not encrypted and verified: add sslmode=verify-full to IRONLEASE_DATABASE_URL, and sslrootcert=FILE for a private certificate authority";

/** Whether the connection to each of the hosts is safe. */
export function isPrivateLink(databaseUrl: string): boolean {
  return databaseHosts(databaseUrl).every(isPrivateHost);
}

/**
 * Whether the connection is safe from eavesdropping and tampering: the database is on this machine, or TLS verifies its
 * certificate. The weaker modes verify nothing, or will not in the driver's next version.
 */
function isPrivateHost(databaseUrl: string): boolean {
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
