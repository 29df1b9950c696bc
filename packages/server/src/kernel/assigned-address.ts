import ipaddr from "ipaddr.js";
import { prefixLengthOf } from "./address-places.ts";

/**
 * The assigned form of an address: customers may name any address of their prefix, in any notation, with or without
 * the prefix length.
 */
export function assignedAddress(text: string): string | undefined {
  const [address = ""] = text.replace(/\/\d{1,3}$/, "").split("%", 1);
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address).toString();
  if (!ipaddr.IPv6.isValid(address)) return undefined;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const prefix = `${parsed.toString()}/${prefixLengthOf(6)}`;
  return ipaddr.IPv6.networkAddressFromCIDR(prefix).toString();
}
