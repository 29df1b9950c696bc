import { Type } from "typebox";
import { id, nullableText, nullableTime, text, usd, words } from "./schemas.ts";

const deliveryAddress = Type.Object(
  {
    family: Type.Integer({ description: "4 or 6." }),
    address: text("The address, or the first address of the IPv6 /64.", "203.0.113.7"),
    prefixLength: Type.Integer({ description: "As configured on the machine.", examples: [24] }),
    gateway: nullableText(
      "The first address of an IPv4 subnet. For IPv6, what is set for the subnet, or null.",
      "203.0.113.1",
    ),
    vlan: Type.Unsafe<number | null>({
      type: ["integer", "null"],
      description: "The VLAN of the subnet, or null.",
      examples: [120],
    }),
    subnet: Type.String({ examples: ["203.0.113.0/24"] }),
  },
  { title: "DeliveryAddress" },
);

/** What an operator needs to deliver a server. */
export const delivery = Type.Object(
  {
    machineId: id("machine"),
    assetTag: text("The label on the machine.", "A1-07"),
    rack: nullableText("The rack, or null.", "A1"),
    unit: Type.Unsafe<number | null>({
      type: ["integer", "null"],
      description: "The lowest unit of the rack, or null.",
      examples: [7],
    }),
    serialNumber: nullableText("The manufacturer's serial number, or null.", "CZJ2040QWX"),
    switchPort: nullableText("The switch and the port, or null.", "sw-fra1-07 Ethernet1/12"),
    configId: Type.String(),
    regionId: Type.String(),
    osId: Type.String(),
    sshPublicKey: nullableText("The customer's SSH key, or null."),
    term: words(["weekly", "monthly"]),
    priceUsd: usd,
    hostname: text("The name that the server gets unless you send another, or has."),
    addresses: Type.Array(deliveryAddress, {
      description:
        "Reserved by the first claim until the item ends: completing assigns exactly these. Of a completed item, those that the server has.",
    }),
    problem: nullableText("Why a claimed item has no address of a family, and what to do."),
  },
  { title: "ServerDelivery", description: "Only with PROVISION, and not in lists." },
);

/** One step of a work item, and who has ticked it. */
export const checklistLine = Type.Object(
  {
    line: text("One step.", "Install the customer's SSH key"),
    tickedBy: nullableText("The operator who ticked it, or null.", "alice"),
    tickedAt: nullableTime,
  },
  { title: "ChecklistLine" },
);
