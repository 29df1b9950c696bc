import { lookup } from "node:dns/promises";
import type { LookupAddress } from "node:dns";
import { isIP } from "node:net";
import { isInNetworks } from "#kernel/networks.ts";
import { isPublicAddress, unbracketed } from "#kernel/public-url.ts";

/** The addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true });

/** A host that must not be contacted. */
export class NotPermitted extends Error {
  override readonly name = "NotPermitted";
}

/**
 * Resolves the host of a URL and checks every address: all must be public or in the allowed networks, and plain HTTP is
 * only for the latter. The caller must connect to these addresses and resolve nothing again.
 */
export async function permittedAddresses(
  url: URL,
  resolve: Resolve,
  allowed: readonly string[],
): Promise<readonly LookupAddress[]> {
  const host = unbracketed(url.hostname);
  const family = isIP(host);
  const addresses = family === 0 ? await resolve(host) : [{ address: host, family }];
  const isPermitted = ({ address }: LookupAddress) =>
    isInNetworks(address, allowed) || (url.protocol === "https:" && isPublicAddress(address));
  if (addresses.length === 0 || !addresses.every(isPermitted)) {
    throw new NotPermitted("the host has an address that is not public");
  }
  return addresses;
}
