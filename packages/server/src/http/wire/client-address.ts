import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

export type ClientAddress = (peer: string, forwardedFor: string | undefined) => string;

/** Who sent a request. */
export function addressIn(raw: IncomingMessage, clientAddress: ClientAddress): string {
  const forwardedFor = raw.headers["x-forwarded-for"];
  return clientAddress(
    raw.socket.remoteAddress ?? "",
    Array.isArray(forwardedFor) ? forwardedFor.join(",") : forwardedFor,
  );
}

/** Finds out who is at the other end: the peer, or what a trusted proxy says of it. */
export function clientAddresses(trustedProxies: readonly string[]): ClientAddress {
  const trusted = trustedProxies.map(parseNetwork);
  const isTrusted = (address: string) => {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return trusted.some(
      ([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits),
    );
  };

  return (peer, forwardedFor) => {
    if (forwardedFor === undefined || !isTrusted(peer)) return plain(peer);
    // From the right, each trusted proxy vouches for the one before it; the first stranger is the client.
    const hops = forwardedFor.split(",").map(withoutPort).slice(-20);
    let client = peer;
    for (const hop of hops.toReversed()) {
      if (!isAddress(hop)) break;
      client = hop;
      if (!isTrusted(hop)) break;
    }
    return plain(client);
  };
}

/** Some proxies write the port too: `203.0.113.9:1234`, `[2001:db8::1]:99`. */
function withoutPort(hop: string): string {
  const text = hop.trim();
  return /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}

/** Only plain spellings: `010.0.0.1` is another address to whoever reads it as octal. */
function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

/** `10.0.0.0/8`, or one address. Throws on anything else. */
function parseNetwork(text: string): Network {
  if (text.includes("/")) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

/** One spelling per address: `::ffff:192.0.2.1` is the IPv4 address that it wraps. */
function plain(address: string): string {
  // Only its plain spelling passes for an IPv4 address here, and most are that.
  if (isIPv4(address)) return address;
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}
