import type { DeliveryAddress } from "@ironlease/client/operator";
import type { Delivery } from "#desk/shared/work-detail.ts";

/** The [Network] section of a systemd-networkd file. Comments say what the file cannot. */
export function networkText({ assetTag, hostname, addresses }: Delivery): string {
  const vlans = [...new Set(addresses.flatMap(({ vlan }) => (vlan === null ? [] : [vlan])))];
  return [
    `# ${hostname} on ${assetTag}`,
    ...vlans.map((vlan) => `# VLAN ${vlan}`),
    "[Network]",
    ...addresses.flatMap(linesOf),
  ].join("\n");
}

function linesOf(address: DeliveryAddress): readonly string[] {
  const { prefixLength, gateway, family } = address;
  const own = `Address=${hostAddress(address)}/${prefixLength}`;
  if (gateway === null) return [own, `# The gateway of ${address.subnet} is not set.`];
  if (family === 4 || /^fe80:/i.test(gateway)) return [own, `Gateway=${gateway}`];
  // A gateway in another network is reached directly.
  return [own, "", "[Route]", `Gateway=${gateway}`, "GatewayOnLink=yes"];
}

/** An IPv6 /64 is written as its first address, which is not for hosts. The server takes the next one. */
export function hostAddress({ family, address }: DeliveryAddress): string {
  return family === 6 ? `${address}1` : address;
}
