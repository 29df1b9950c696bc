/**
 * How many servers fit in a subnet: one IPv4 address each, excluding network, gateway and broadcast,
 * or one /64 each. The service counts the same way.
 */
export function subnetCapacity(cidr: string): number {
  const length = Number(cidr.slice(cidr.indexOf("/") + 1));
  return cidr.includes(":") ? 2 ** Math.max(0, 64 - length) : Math.max(1, 2 ** (32 - length) - 3);
}
