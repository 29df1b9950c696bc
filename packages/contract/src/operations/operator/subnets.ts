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
    assigned: count("IPv4 addresses or IPv6 /64 prefixes assigned now."),
  },
  { title: "Subnet" },
);

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
      },
      { additionalProperties: false },
    ),
    answers: { 201: subnet },
    errors: ["conflict", "limit_reached"],
  }),
};
