import type { Kysely } from "kysely";
import type { ControllerDriver, Power } from "#ports/controllers.ts";
import type { MachineState, Schema } from "#ports/schema.ts";

/** A machine as operators see it. */
export interface MachineRecord {
  readonly id: string;
  readonly assetTag: string;
  readonly configId: string;
  readonly regionId: string;
  readonly state: MachineState;
  readonly controller: ControllerRecord | null;
  /** The power state that a run last saw, and when. */
  readonly power: { readonly state: Power; readonly at: number } | null;
}

/** Without the credential, which is never shown. */
export interface ControllerRecord {
  readonly driver: ControllerDriver;
  readonly address: string;
  readonly username: string;
  readonly certificateSha256: string | null;
}

/** Selects the columns of a record. The caller adds the conditions. */
export function selectMachines(db: Kysely<Schema>) {
  return db
    .selectFrom("machines")
    .leftJoin("controllers", "controllers.machine_id", "machines.id")
    .select([
      "machines.id",
      "asset_tag as assetTag",
      "config_id as configId",
      "region_id as regionId",
      "machines.state",
      "driver",
      "address",
      "username",
      "certificate_sha256 as certificateSha256",
      "power",
      "power_seen_at as powerSeenAt",
    ]);
}

type MachineRow = Awaited<ReturnType<ReturnType<typeof selectMachines>["executeTakeFirstOrThrow"]>>;

export function toMachineRecord({
  driver,
  address,
  username,
  certificateSha256,
  power,
  powerSeenAt,
  ...machine
}: MachineRow): MachineRecord {
  const hasController = driver !== null && address !== null && username !== null;
  return {
    ...machine,
    controller: hasController ? { driver, address, username, certificateSha256 } : null,
    power: power !== null && powerSeenAt !== null ? { state: power, at: powerSeenAt } : null,
  };
}
