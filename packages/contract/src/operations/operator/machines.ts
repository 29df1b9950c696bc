import { Type } from "typebox";
import { limits } from "../../limits.ts";
import { operation } from "../../operation.ts";
import { afterId, asOperator, search } from "../../operator-fields.ts";
import { catalogueId, id, words } from "../../schemas.ts";

export const machineStates = ["FREE", "RESERVED", "ASSIGNED", "DIRTY", "RETIRED"] as const;

const assetTag = Type.String({
  minLength: limits.assetTag.min,
  maxLength: limits.assetTag.max,
  pattern: "^[!-~](?:[ -~]*[!-~])?$",
  description: "The label on the machine.",
  message: `must be ${limits.assetTag.min} to ${limits.assetTag.max} printable ASCII characters without leading or trailing spaces`,
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
  description: "RESERVED and ASSIGNED follow from orders and servers and cannot be set.",
});

const newMachine = {
  assetTag,
  configId: catalogueId("configuration"),
  regionId: catalogueId("region"),
  state: Type.Optional(settable),
};

const ofInventory = { ...asOperator("support"), tag: "Inventory" } as const;

export const machines = {
  listMachines: operation({
    ...ofInventory,
    method: "GET",
    path: "/operator/v1/machines",
    summary: "List machines",
    description: "Oldest first, 100 per page.",
    query: Type.Object(
      {
        state: Type.Optional(words(machineStates)),
        configId: Type.Optional(catalogueId("configuration")),
        regionId: Type.Optional(catalogueId("region")),
        query: search("Start of an asset tag, or a machine id.", "A1-"),
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
    description: `One machine, or up to ${limits.machinesAtOnce} in \`machines\`. If any is invalid, none is added and the errors name the position in the list. The catalogue must offer the configuration in the region.`,
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
              minItems: 1,
              maxItems: limits.machinesAtOnce,
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
      "Retires a machine, marks it for wiping or marks it as wiped. The state of a reserved or assigned machine cannot change. Setting a DIRTY machine to FREE or RETIRED completes its RECLAIM work item.",
    body: Type.Object(
      { state: Type.Optional(settable), assetTag: Type.Optional(assetTag) },
      { additionalProperties: false, examples: [{ state: "RETIRED" }] },
    ),
    answers: { 200: machine },
    errors: ["conflict"],
  }),
};
