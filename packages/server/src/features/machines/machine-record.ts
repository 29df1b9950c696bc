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
  readonly rack: string | null;
  readonly unit: number | null;
  readonly serialNumber: string | null;
  readonly macAddresses: readonly string[];
  readonly switchPort: string | null;
  readonly notes: string | null;
  readonly keepOutReason: string | null;
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
      "rack",
      "unit",
      "serial_number as serialNumber",
      "switch_port as switchPort",
      "notes",
      "keep_out_reason as keepOutReason",
      "driver",
      "address",
      "username",
      "certificate_sha256 as certificateSha256",
      "power",
      "power_seen_at as powerSeenAt",
    ]);
}

type MachineRow = Awaited<ReturnType<ReturnType<typeof selectMachines>["executeTakeFirstOrThrow"]>>;

/** The records of at most a page of rows. Takes one query for the MAC addresses of all. */
export async function toMachineRecords(
  db: Kysely<Schema>,
  rows: readonly MachineRow[],
): Promise<readonly MachineRecord[]> {
  if (rows.length === 0) return [];
  const macs = await db
    .selectFrom("machine_macs")
    .select(["machine_id as machineId", "mac"])
    .where(
      "machine_id",
      "in",
      rows.map(({ id }) => id),
    )
    .orderBy("machine_id")
    .orderBy("position")
    .execute();
  const byMachine = Map.groupBy(macs, ({ machineId }) => machineId);
  return rows.map((row) =>
    toMachineRecord(
      row,
      (byMachine.get(row.id) ?? []).map(({ mac }) => mac),
    ),
  );
}

/** Undefined when there is no such machine. */
export async function findMachine(
  db: Kysely<Schema>,
  machineId: string,
): Promise<MachineRecord | undefined> {
  const row = await selectMachines(db).where("machines.id", "=", machineId).executeTakeFirst();
  if (row === undefined) return undefined;
  const [record] = await toMachineRecords(db, [row]);
  return record;
}

function toMachineRecord(
  { driver, address, username, certificateSha256, power, powerSeenAt, ...machine }: MachineRow,
  macAddresses: readonly string[],
): MachineRecord {
  const hasController = driver !== null && address !== null && username !== null;
  return {
    ...machine,
    macAddresses,
    controller: hasController ? { driver, address, username, certificateSha256 } : null,
    power: power !== null && powerSeenAt !== null ? { state: power, at: powerSeenAt } : null,
  };
}
