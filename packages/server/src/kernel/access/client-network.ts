import ipaddr from "ipaddr.js";
import type { Client } from "#kernel/core.ts";

/**
 * The part of an address that identifies one client in rate limits: an IPv4 address, or the /64 of an IPv6 address,
 * since a client usually controls a whole /64.
 */
function clientNetwork(ipAddress: string): string {
  if (!ipaddr.isValid(ipAddress)) return ipAddress;
  const address = ipaddr.process(ipAddress);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}

/**
 * Identifies one client of one listener in rate limits and in the password-hash queue. Customers and operators are
 * counted separately, so that neither can lock out the other.
 */
export function clientLane({ ipAddress }: Client, side: "account" | "operator"): string {
  const network = clientNetwork(ipAddress);
  return side === "account" ? network : `${side} ${network}`;
}
