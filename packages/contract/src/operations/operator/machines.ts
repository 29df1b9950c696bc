import { Type, type Static } from "typebox";
import { limits } from "../../limits.ts";
import { operation } from "../../operation.ts";
import { serverStates } from "../../server-fields.ts";
import { afterId, asOperator, search } from "../../operator-fields.ts";
import { controllerFields } from "../../controller-fields.ts";
import { machineRecordFields } from "../../machine-fields.ts";
import { catalogueId, id, nullableText, text, time, words } from "../../schemas.ts";

export const machineStates = ["FREE", "RESERVED", "ASSIGNED", "DIRTY", "RETIRED"] as const;

const assetTag = Type.String({
  minLength: limits.assetTag.min,
  maxLength: limits.assetTag.max,
  pattern: "^[!-~](?:[ -~]*[!-~])?$",
  description: "The label on the machine.",
  message: `must be ${limits.assetTag.min} to ${limits.assetTag.max} printable ASCII characters without leading or trailing spaces`,
});

const controller = Type.Object(
  {
    driver: controllerFields.driver,
    address: text("`https://IP:PORT` for Redfish, `IP:PORT` for IPMI.", "https://10.20.0.7:443"),
    username: Type.String({ examples: ["ironlease"] }),
    certificateSha256: nullableText(
      "The pinned certificate's SHA-256 in hex. Null for a certificate of a trusted authority.",
      "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ),
  },
  { title: "Controller" },
);

const power = Type.Object(
  { state: words(["ON", "OFF"]), at: time },
  { title: "PowerState", description: "The power state that a run last saw, and when." },
);

export const nullablePower = Type.Unsafe<Static<typeof power> | null>({
  anyOf: [power, { type: "null" }],
  description: "The power state that a run last saw. Null when none has.",
});

const machineFields = {
  id: id("machine"),
  assetTag: Type.String(),
  configId: Type.String(),
  regionId: Type.String(),
  state: words(machineStates),
  rack: nullableText("The rack, under its name in the region.", "R07"),
  unit: Type.Unsafe<number | null>({
    type: ["integer", "null"],
    description: "The lowest unit of the rack that the machine occupies.",
    examples: [12],
  }),
  serialNumber: nullableText("The manufacturer's serial number.", "CZJ2040QWX"),
  macAddresses: Type.Array(Type.String({ examples: ["3c:ec:ef:01:a2:07"] }), {
    description: "In the order of the interfaces.",
  }),
  switchPort: nullableText("The switch and the port.", "sw-fra1-07 Ethernet1/12"),
  notes: nullableText("For operators only.", "Rail kit from the second batch."),
  keepOutReason: nullableText(
    "Why the machine is kept out of sale. Null when it may be sold.",
    "Fan 3 fails under load",
  ),
  controller: Type.Unsafe<Static<typeof controller> | null>({
    anyOf: [controller, { type: "null" }],
    description: "The management controller. Null when the machine has none.",
  }),
  power: nullablePower,
};

export const machine = Type.Object(machineFields, { title: "Machine" });

const currentServer = Type.Object(
  {
    id: id("server"),
    accountId: id("account"),
    username: Type.String({ examples: ["grace"] }),
    hostname: nullableText("Null until the server is delivered.", "fra1-07.example.com"),
    state: words(serverStates),
  },
  { title: "MachineServer" },
);

const machineDetails = Type.Object(
  {
    ...machineFields,
    createdAt: time,
    server: Type.Unsafe<Static<typeof currentServer> | null>({
      anyOf: [currentServer, { type: "null" }],
      description:
        "The server that the machine is reserved for or assigned to. Null when it is idle.",
    }),
  },
  { title: "MachineDetails" },
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
  ...machineRecordFields,
  controller: Type.Optional(
    Type.Object(controllerFields, {
      additionalProperties: false,
      title: "NewController",
      description: "As in `PUT /operator/v1/machines/{id}/controller`. Only an admin can set it.",
    }),
  ),
};

const ofInventory = { ...asOperator("support"), tag: "Inventory" } as const;

const ofControllers = { ...asOperator("admin"), tag: "Inventory" } as const;

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
        query: search(
          "Start of an asset tag, rack or serial number, a MAC address, or a machine id.",
          "A1-",
        ),
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
    description: `One machine, or up to ${limits.machinesAtOnce} in \`machines\`. If any is invalid, none is added and the errors name the position in the list. The catalogue must offer the configuration in the region. Serial numbers and MAC addresses are unique, and so is a unit of a rack in a region, except for RETIRED machines. A body with a \`controller\` needs the role admin.`,
    bodyBytes: limits.operatorImportBytes,
    body: Type.Object(
      {
        assetTag: Type.Optional(newMachine.assetTag),
        configId: Type.Optional(newMachine.configId),
        regionId: Type.Optional(newMachine.regionId),
        state: newMachine.state,
        ...machineRecordFields,
        controller: newMachine.controller,
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
    errors: ["conflict", "role_forbidden"],
  }),
  readMachine: operation({
    ...ofInventory,
    method: "GET",
    path: "/operator/v1/machines/{id}",
    summary: "Read a machine",
    answers: { 200: machineDetails },
    errors: [],
  }),
  changeMachine: operation({
    ...ofInventory,
    method: "PATCH",
    path: "/operator/v1/machines/{id}",
    summary: "Change a machine",
    description:
      "Retires a machine, marks it for wiping or marks it as wiped, keeps it out of sale, or changes its record. The state of a reserved or assigned machine cannot change. Setting a DIRTY machine to FREE or RETIRED completes its RECLAIM work item.",
    body: Type.Object(
      {
        state: Type.Optional(settable),
        assetTag: Type.Optional(assetTag),
        ...machineRecordFields,
      },
      { additionalProperties: false, examples: [{ state: "RETIRED" }] },
    ),
    answers: { 200: machine },
    errors: ["conflict"],
  }),
  setController: operation({
    ...ofControllers,
    method: "PUT",
    path: "/operator/v1/machines/{id}/controller",
    summary: "Set a machine's controller",
    description:
      "Sets or replaces the management controller that [runs](#tag/work) use. Its address must be on a network in `IRONLEASE_HARDWARE_NETWORKS`. The credential is encrypted and never shown again. A conflict during a run.",
    body: Type.Object(controllerFields, {
      additionalProperties: false,
      examples: [
        {
          driver: "ipmi",
          address: "10.20.0.7:623",
          username: "ironlease",
          credential: "correct-horse",
        },
      ],
    }),
    answers: { 200: machine },
    errors: ["conflict"],
  }),
  removeController: operation({
    ...ofControllers,
    method: "DELETE",
    path: "/operator/v1/machines/{id}/controller",
    summary: "Remove a machine's controller",
    description: "A conflict during a run.",
    answers: { 204: null },
    errors: ["conflict"],
  }),
};
