import ipaddr from "ipaddr.js";

/** Whether the address is in one of the networks, which are addresses or CIDRs of either family. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return networks.some((network) => {
    const [base, length] = ipaddr.parseCIDR(withLength(network));
    return base.kind() === parsed.kind() && parsed.match(base, length);
  });
}

/** The network that an address or CIDR describes, as a CIDR. Undefined if it is neither. */
export function readNetwork(text: string): string | undefined {
  const network = withLength(text);
  // Short forms such as 127.1 mean something else to other software.
  if (!ipaddr.isValidCIDR(network) || (!text.includes(":") && !isFourParts(text))) return undefined;
  const [address, length] = ipaddr.parseCIDR(network);
  const base =
    address instanceof ipaddr.IPv4
      ? ipaddr.IPv4.networkAddressFromCIDR(network)
      : ipaddr.IPv6.networkAddressFromCIDR(network);
  return `${base.toString()}/${length}`;
}

function isFourParts(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text.split("/")[0] ?? "");
}

function withLength(network: string): string {
  if (network.includes("/")) return network;
  return `${network}/${network.includes(":") ? 128 : 32}`;
}
