import type { MachineState } from "#ports/schema.ts";

/** A machine as operators see it. */
export interface MachineRecord {
  readonly id: string;
  readonly assetTag: string;
  readonly configId: string;
  readonly regionId: string;
  readonly state: MachineState;
}

/** The columns of `MachineRecord`, under its names. */
export const machineColumns = [
  "id",
  "asset_tag as assetTag",
  "config_id as configId",
  "region_id as regionId",
  "state",
] as const;
