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

function withLength(network: string): string {
  if (network.includes("/")) return network;
  return `${network}/${network.includes(":") ? 128 : 32}`;
}
