import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

export type ClientAddress = (peer: string, forwardedFor: string | undefined) => string;

/** More proxies in a row than any deployment has. */
const maxHops = 20;

/** The address of the client that sent a request. */
export function addressIn(raw: IncomingMessage, clientAddress: ClientAddress): string {
  const forwardedFor = raw.headers["x-forwarded-for"];
  return clientAddress(
    raw.socket.remoteAddress ?? "",
    Array.isArray(forwardedFor) ? forwardedFor.join(",") : forwardedFor,
  );
}

/** The client is the peer of the socket, or the address that trusted proxies report. */
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
    if (forwardedFor === undefined || !isTrusted(peer)) return normalized(peer);
    // From the right, each trusted proxy vouches for the hop before it. The first untrusted hop is the client.
    const hops = forwardedFor.split(",").map(withoutPort).slice(-maxHops);
    let client = peer;
    for (const hop of hops.toReversed()) {
      if (!isAddress(hop)) break;
      client = hop;
      if (!isTrusted(hop)) break;
    }
    return normalized(client);
  };
}

/** Some proxies add the port: `203.0.113.9:1234`, `[2001:db8::1]:99`. */
function withoutPort(hop: string): string {
  const text = hop.trim();
  return /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}

/** Accepts plain decimal only: some parsers read `010.0.0.1` as octal, which is another address. */
function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

/** `10.0.0.0/8`, or a single address. Throws on anything else. */
function parseNetwork(text: string): Network {
  if (text.includes("/")) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

/** One spelling per address: `::ffff:192.0.2.1` becomes `192.0.2.1`. */
function normalized(address: string): string {
  // Fast path: node:net accepts only the canonical spelling of an IPv4 address.
  if (isIPv4(address)) return address;
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}
