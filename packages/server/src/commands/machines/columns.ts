import { extras, type Column } from "@ironlease/command-line";

export interface MachineDocument {
  readonly id: string;
  readonly assetTag: string;
  readonly configId: string;
  readonly regionId: string;
  readonly state: string;
  readonly rack: string | null;
  readonly unit: number | null;
  readonly serialNumber: string | null;
}

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
