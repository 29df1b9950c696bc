import { Type } from "typebox";
import { operation } from "../../operation.ts";
import { afterId, asOperator } from "../../operator-fields.ts";
import { catalogueId, count, id, text } from "../../schemas.ts";

const subnet = Type.Object(
  {
    id: id("subnet"),
    regionId: Type.String(),
    cidr: text("In its shortest spelling.", "203.0.113.0/24"),
    assigned: count("How many of its addresses, or of its /64s, are assigned now."),
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
    description: "In the order in which they were added, 100 a page.",
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
    description: "Servers of its region get their addresses from it. It must overlap no other one.",
    body: Type.Object(
      {
        regionId: catalogueId("region"),
        cidr: Type.String({
          ...{ minLength: 1, maxLength: 64 },
          message: "must be a network such as 198.51.100.0/24 or 2001:db8::/48",
        }),
      },
      { additionalProperties: false },
    ),
    answers: { 201: subnet },
    errors: ["conflict", "limit_reached"],
  }),
};
