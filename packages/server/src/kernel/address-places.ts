import ipaddr from "ipaddr.js";

/**
 * A subnet is a sequence of numbered places, each assignable to one server: single addresses in an IPv4 subnet, /64
 * prefixes in an IPv6 subnet.
 */
export interface PlacesOf {
  readonly family: number;
  /** Fixed-width hexadecimal. */
  readonly first_address: string;
  readonly last_address: string;
}

/** An IPv4 subnet starts with its network address and the gateway. All IPv6 prefixes are usable. */
export function firstPlace(family: number): number {
  return family === 4 ? 2 : 0;
}

/** The last address of an IPv4 subnet is its broadcast address. */
export function lastPlace({ family, first_address, last_address }: PlacesOf): number {
  const addresses = numberOf(last_address) - numberOf(first_address) + 1n;
  return Number(addresses >> hostBits(family)) - (family === 4 ? 2 : 1);
}

/** The address of a place, or the first address of its prefix. */
export function addressAt({ family, first_address }: PlacesOf, place: number): string {
  const value = numberOf(first_address) + (BigInt(place) << hostBits(family));
  const hex = value.toString(16).padStart(first_address.length, "0");
  return ipaddr.fromByteArray([...Buffer.from(hex, "hex")]).toString();
}

export function placeOf({ family, first_address }: PlacesOf, address: string): number {
  const offset = numberOf(hexOf(ipaddr.parse(address))) - numberOf(first_address);
  return Number(offset >> hostBits(family));
}

/** The prefix length that a server is assigned: one IPv4 address, or an IPv6 /64. */
export function prefixLengthOf(family: number): number {
  return family === 4 ? 32 : 64;
}

/** The prefix length that the server configures: that of the IPv4 subnet, where its gateway is, or its IPv6 /64. */
export function prefixLengthIn({
  family,
  cidr,
}: {
  readonly family: number;
  readonly cidr: string;
}) {
  return family === 4 ? Number(cidr.split("/")[1]) : prefixLengthOf(family);
}

/** The gateway of an IPv4 subnet is its first address. That of an IPv6 subnet is unknown until an operator sets it. */
export function gatewayOf(subnet: PlacesOf & { readonly gateway: string | null }): string | null {
  return subnet.family === 4 ? addressAt(subnet, firstPlace(4) - 1) : subnet.gateway;
}

/** The stored form: fixed-width text that sorts in address order. */
export function hexOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  return Buffer.from(address.toByteArray()).toString("hex");
}

function hostBits(family: number): bigint {
  return family === 4 ? 0n : 64n;
}

function numberOf(hex: string): bigint {
  return BigInt(`0x${hex}`);
}
