import { Type } from "typebox";
import { catalogueDocument } from "../../catalogue-document.ts";
import { limits } from "../../limits.ts";
import { operation } from "../../operation.ts";
import { catalogueId, count, id, text, words } from "../../schemas.ts";
import { afterId, asOperator, search } from "./fields.ts";

export const machineStates = ["FREE", "RESERVED", "ASSIGNED", "DIRTY", "RETIRED"] as const;

const assetTag = Type.String({
  ...{ minLength: limits.assetTag.min, maxLength: limits.assetTag.max },
  pattern: "^[!-~](?:[ -~]*[!-~])?$",
  description: "What stands on its front.",
  message: `must be ${limits.assetTag.min} to ${limits.assetTag.max} printable ASCII characters with no space at either end`,
});

const machine = Type.Object(
  {
    id: id("machine"),
    assetTag: Type.String(),
    configId: Type.String(),
    regionId: Type.String(),
    state: words(machineStates),
  },
  { title: "Machine" },
);

const machineList = Type.Object({ machines: Type.Array(machine) }, { title: "MachineList" });

const settable = words(["FREE", "DIRTY", "RETIRED"], {
  description: "RESERVED and ASSIGNED follow from orders and servers, and cannot be set.",
});

const newMachine = {
  assetTag,
  configId: catalogueId("configuration"),
  regionId: catalogueId("region"),
  state: Type.Optional(settable),
};

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

export const inventory = {
  listMachines: operation({
    ...ofInventory,
    method: "GET",
    path: "/operator/v1/machines",
    summary: "List machines",
    description: "In the order in which they were added, 100 a page.",
    query: Type.Object(
      {
        state: Type.Optional(words(machineStates)),
        configId: Type.Optional(catalogueId("configuration")),
        regionId: Type.Optional(catalogueId("region")),
        query: search("The beginning of an asset tag, or an identifier.", "A1-"),
        after: afterId("machine"),
      },
      { additionalProperties: false },
    ),
    answers: { 200: machineList },
    errors: [],
  }),
  addMachines: operation({
    ...ofInventory,
    method: "POST",
    path: "/operator/v1/machines",
    summary: "Add machines",
    description: `One machine, or up to ${limits.machinesAtOnce} of them in \`machines\`. One that is wrong is named with its place in the list, and none is added. Its region must offer its configuration.`,
    bodyBytes: limits.operatorImportBytes,
    body: Type.Object(
      {
        assetTag: Type.Optional(newMachine.assetTag),
        configId: Type.Optional(newMachine.configId),
        regionId: Type.Optional(newMachine.regionId),
        state: newMachine.state,
        machines: Type.Optional(
          Type.Array(
            Type.Object(newMachine, { additionalProperties: false, title: "NewMachine" }),
            {
              ...{ minItems: 1, maxItems: limits.machinesAtOnce },
              message: `must be a list of 1 to ${limits.machinesAtOnce} machines`,
            },
          ),
        ),
      },
      {
        additionalProperties: false,
        examples: [{ assetTag: "A1-07", configId: "metal-s", regionId: "fra" }],
      },
    ),
    answers: { 201: Type.Union([machine, machineList]) },
    errors: ["conflict"],
  }),
  changeMachine: operation({
    ...ofInventory,
    method: "PATCH",
    path: "/operator/v1/machines/{id}",
    summary: "Change a machine",
    description:
      "Retire it, set it aside to be wiped, or say that it is wiped. One that is reserved or serves a living server stays what it is. Setting a DIRTY machine FREE or RETIRED ends its RECLAIM work.",
    body: Type.Object(
      { state: Type.Optional(settable), assetTag: Type.Optional(assetTag) },
      { additionalProperties: false, examples: [{ state: "RETIRED" }] },
    ),
    answers: { 200: machine },
    errors: ["conflict"],
  }),
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
  readCatalogueDocument: operation({
    ...ofInventory,
    tag: "Catalogue editing",
    method: "GET",
    path: "/operator/v1/catalogue",
    summary: "Read the whole catalogue",
    description: "The document that PUT and `ironleased catalogue import` take.",
    versioned: true,
    answers: { 200: catalogueDocument },
    errors: [],
  }),
  replaceCatalogue: operation({
    ...asOperator("admin"),
    tag: "Catalogue editing",
    method: "PUT",
    path: "/operator/v1/catalogue",
    summary: "Replace the whole catalogue",
    description:
      "With the `etag` of what was read in `if-match`, somebody else's change in between is 409 `conflict` and never overwritten. Prices of living servers stay. What the document no longer has is no longer sold; machines, subnets and servers of it stay.",
    versioned: true,
    bodyBytes: limits.operatorImportBytes,
    body: Type.Object(
      {
        $schema: Type.Optional(
          Type.String({ description: "As in a file that an editor checks. It is not kept." }),
        ),
        ...catalogueDocument.properties,
      },
      { additionalProperties: false },
    ),
    answers: { 200: catalogueDocument },
    errors: ["conflict"],
  }),
};
