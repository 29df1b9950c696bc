import { extras, type Column } from "@ironlease/command-line";
import type { MachineRecord } from "#features/machines/machine-record.ts";

export type MachineDocument = Pick<
  MachineRecord,
  "id" | "assetTag" | "configId" | "regionId" | "state" | "rack" | "unit" | "serialNumber"
>;

export const machineColumns: readonly Column<MachineDocument>[] = [
  { field: "id", heading: "ID", cell: ({ id }) => id },
  { field: "assetTag", heading: "ASSET TAG", cell: ({ assetTag }) => assetTag },
  { field: "configId", heading: "CONFIGURATION", cell: ({ configId }) => configId },
  { field: "regionId", heading: "REGION", cell: ({ regionId }) => regionId },
  { field: "state", heading: "STATE", cell: ({ state }) => state },
  { field: "rack", heading: "RACK", cell: ({ rack }) => rack ?? "" },
  { field: "unit", heading: "UNIT", cell: ({ unit }) => (unit === null ? "" : String(unit)) },
  ...extras<MachineDocument>("serialNumber"),
];
