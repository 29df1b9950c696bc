import { Type } from "typebox";
import { operation } from "../../operation.ts";
import { afterId, asOperator } from "../../operator-fields.ts";
import { catalogueId, count, id, nullableText, text } from "../../schemas.ts";

const subnet = Type.Object(
  {
    id: id("subnet"),
    regionId: Type.String(),
    cidr: text("In canonical form.", "203.0.113.0/24"),
    reverseZone: nullableText(
      "The zone of its reverse DNS records, or null for the usual one.",
      "64-26.100.51.198.in-addr.arpa",
    ),
    gateway: nullableText(
      "The first address of an IPv4 subnet. For IPv6, the gateway that you set, or null.",
      "203.0.113.1",
    ),
    vlan: Type.Unsafe<number | null>({
      type: ["integer", "null"],
      description: "The VLAN that you set, or null.",
      examples: [120],
    }),
    assigned: count("IPv4 addresses or IPv6 /64 prefixes assigned now."),
  },
  { title: "Subnet" },
);

/** What operators configure on machines. Nothing in the service depends on it. */
const configured = {
  gateway: Type.Optional(
    Type.Unsafe<string | null>({
      type: ["string", "null"],
      minLength: 2,
      maxLength: 45,
      description:
        "Only for IPv6: an address outside the subnet, usually link-local. Null for none. The gateway of an IPv4 subnet is its first address.",
      examples: ["fe80::1"],
      message: "must be an IPv6 address such as fe80::1, or null",
    }),
  ),
  vlan: Type.Optional(
    Type.Unsafe<number | null>({
      type: ["integer", "null"],
      minimum: 1,
      maximum: 4094,
      description: "The VLAN id of the subnet. Null for none.",
      examples: [120],
      message: "must be a whole number from 1 to 4094, or null",
    }),
  ),
};

const ofInventory = { ...asOperator("support"), tag: "Inventory" } as const;

export const subnets = {
  listSubnets: operation({
    ...ofInventory,
    method: "GET",
    path: "/operator/v1/subnets",
    summary: "List subnets",
    description: "Oldest first, 100 per page.",
    query: Type.Object(
      { regionId: Type.Optional(catalogueId("region")), after: afterId("subnet") },
      { additionalProperties: false },
    ),
    answers: { 200: Type.Object({ subnets: Type.Array(subnet) }) },
    errors: [],
  }),
  addSubnet: operation({
    ...ofInventory,
    method: "POST",
    path: "/operator/v1/subnets",
    summary: "Add a subnet",
    description:
      "Servers in the region get their addresses from it. It must not overlap another subnet.",
    body: Type.Object(
      {
        regionId: catalogueId("region"),
        cidr: Type.String({
          minLength: 1,
          maxLength: 64,
          message: "must be a network such as 198.51.100.0/24 or 2001:db8::/48",
        }),
        reverseZone: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 253,
            examples: ["64-26.100.51.198.in-addr.arpa"],
            description:
              "The zone of its reverse DNS records, without a trailing dot. By default, the zone of each /24, or that of the IPv6 subnet. For an IPv4 subnet that is smaller, the name that your upstream delegates (RFC 2317).",
            message: "must be a zone such as 64-26.100.51.198.in-addr.arpa",
          }),
        ),
        ...configured,
      },
      { additionalProperties: false },
    ),
    answers: { 201: subnet },
    errors: ["conflict", "limit_reached"],
  }),
  changeSubnet: operation({
    ...ofInventory,
    method: "PATCH",
    path: "/operator/v1/subnets/{id}",
    summary: "Change a subnet",
    description:
      "Sets the gateway and the VLAN that operators read when they deliver a server. Fields that you leave out stay.",
    body: Type.Object(configured, { additionalProperties: false, examples: [{ vlan: 120 }] }),
    answers: { 200: subnet },
    errors: [],
  }),
};
