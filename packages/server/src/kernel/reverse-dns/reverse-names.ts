import ipaddr from "ipaddr.js";
import { accepted, rejected, type Checked } from "#kernel/checked.ts";

/** Names in reverse DNS. None has a trailing dot. */

export interface ReverseSubnet {
  readonly family: number;
  readonly cidr: string;
  /** The zone that the operator chose, or null for the usual one. */
  readonly reverseZone: string | null;
}

/** Where the PTR record of an assigned address is. */
export interface ReverseName {
  readonly name: string;
  readonly zone: string;
  /** False if other networks share the zone, so that it is not ours to create. */
  readonly mayCreate: boolean;
}

const suffix = { 4: "in-addr.arpa", 6: "ip6.arpa" } as const;
const nibblesPerPrefix = 16;

/**
 * The record of an assigned address. An IPv4 address has its own record, an IPv6 /64 one wildcard. The usual zone is
 * that of the /24, or that of the IPv6 subnet.
 */
export function reverseNameOf(subnet: ReverseSubnet, address: string): ReverseName {
  const own = recordName(address);
  const zone = subnet.reverseZone ?? usualZone(subnet, address);
  // An RFC 2317 zone: a CNAME in the /24's zone, which is not ours, leads there.
  const name = isBelow(own, zone) ? own : `${own.slice(0, own.indexOf("."))}.${zone}`;
  const mayCreate = subnet.reverseZone !== null || subnet.family === 6 || bitsOf(subnet) <= 24;
  return { name, zone, mayCreate };
}

/** The name that resolvers ask for: a wildcard stands for all addresses of its /64. */
export function questionFor(name: string, address: string): string {
  return name.startsWith("*.") ? canonicalName(address) : name;
}

/** Reads the zone that an operator chose for a subnet, which is given by its first and last address in hexadecimal. */
export function readReverseZone(
  text: string,
  {
    family,
    first,
    last,
  }: { readonly family: 4 | 6; readonly first: string; readonly last: string },
): Checked<string> {
  const zone = text.toLowerCase();
  const labels = zone.split(".");
  const isName = labels.every((label) => /^[a-z0-9](?:[a-z0-9/-]{0,61}[a-z0-9])?$/.test(label));
  if (!isName || !isBelow(zone, suffix[family])) {
    return rejected(`must be a zone below ${suffix[family]}, without a trailing dot`);
  }
  const names = [first, last].map((hex) => recordName(addressOf(hex)));
  if (names.every((name) => isBelow(name, zone))) return accepted(zone);
  // Below the zone of the one /24 that contains the subnet.
  const parents = new Set(names.map(parentOf));
  const isClassless =
    family === 4 && parents.size === 1 && [...parents].every((parent) => isBelow(zone, parent));
  return isClassless
    ? accepted(zone)
    : rejected("must contain the reverse names of the subnet, or be an RFC 2317 zone of it");
}

function addressOf(hex: string): string {
  return ipaddr.fromByteArray([...Buffer.from(hex, "hex")]).toString();
}

function recordName(address: string): string {
  const name = canonicalName(address);
  return ipaddr.parse(address).kind() === "ipv4"
    ? name
    : `*.${name.split(".").slice(nibblesPerPrefix).join(".")}`;
}

function canonicalName(text: string): string {
  const address = ipaddr.parse(text);
  if (address.kind() === "ipv4") {
    return `${address.toByteArray().toReversed().join(".")}.${suffix[4]}`;
  }
  const nibbles = Buffer.from(address.toByteArray()).toString("hex").split("");
  return `${nibbles.toReversed().join(".")}.${suffix[6]}`;
}

/** The zone of an IPv6 subnet whose length is not a multiple of four is split at the next multiple. */
function usualZone(subnet: ReverseSubnet, address: string): string {
  const labels = canonicalName(address).split(".");
  const zoneLabels = subnet.family === 4 ? 3 : Math.ceil(bitsOf(subnet) / 4);
  return labels.slice(-zoneLabels - 2).join(".");
}

function bitsOf({ cidr }: ReverseSubnet): number {
  return Number(cidr.slice(cidr.indexOf("/") + 1));
}

function parentOf(name: string): string {
  return name.slice(name.indexOf(".") + 1);
}

function isBelow(name: string, zone: string): boolean {
  return name.endsWith(`.${zone}`);
}

/** The first address that a record in a reverse zone is about, in the stored form. Undefined if it is about none. */
export function hexOfName(name: string): string | undefined {
  if (isBelow(name, suffix[4])) {
    const labels = name.split(".").slice(0, -2);
    // Also a name in an RFC 2317 zone, which has more labels.
    const octets = [...labels.slice(-3).toReversed(), labels[0] ?? ""];
    const isAddress = labels.length >= 4 && octets.every((octet) => /^\d{1,3}$/.test(octet));
    if (!isAddress || octets.some((octet) => Number(octet) > 255)) return undefined;
    return Buffer.from(octets.map(Number)).toString("hex");
  }
  if (!isBelow(name, suffix[6])) return undefined;
  const nibbles = name.replace(/^\*\./, "").split(".").slice(0, -2).toReversed();
  const isPrefix = nibbles.length <= 32 && nibbles.every((nibble) => /^[0-9a-f]$/.test(nibble));
  return isPrefix ? nibbles.join("").padEnd(32, "0") : undefined;
}
