import type { FieldError } from "@ironlease/contract";
import { sql } from "kysely";
import type { Tx } from "#ports/db.ts";
import type { MachineState } from "#ports/schema.ts";
import type { Refusal } from "#ports/result.ts";

/** What no two machines share: asset tag, serial number, MAC address, and a unit of a rack unless one is RETIRED. */
export interface MachineIdentity {
  readonly assetTag: string;
  readonly regionId: string;
  readonly state: MachineState;
  readonly rack: string | null;
  readonly unit: number | null;
  readonly serialNumber: string | null;
  /** Normalised. */
  readonly macAddresses: readonly string[];
}

/** `AA-BB-CC-DD-EE-FF`, `aabb.ccdd.eeff` and `aabbccddeeff` become `aa:bb:cc:dd:ee:ff`. */
export function normaliseMac(text: string): string {
  const digits = text.toLowerCase().replaceAll(/[^0-9a-f]/g, "");
  return digits.match(/../g)?.join(":") ?? "";
}

/** One value that must be unique, and the field of the request it came from. */
interface Claim {
  readonly index: number;
  readonly field: string;
  readonly key: string;
}

/** The claims of machines, each a field and a key that no other machine may have. Asset tags are first. */
function claimsOf(machines: readonly MachineIdentity[]): readonly Claim[] {
  const tags = machines.map(({ assetTag }, index) => ({
    index,
    field: "assetTag",
    key: tagKey(assetTag),
  }));
  const others = machines.flatMap((machine, index) => {
    const { regionId, state, rack, unit, serialNumber, macAddresses } = machine;
    const place =
      rack === null || unit === null || state === "RETIRED"
        ? []
        : [{ index, field: "unit", key: placeKey(regionId, rack, unit) }];
    const serial =
      serialNumber === null ? [] : [{ index, field: "serialNumber", key: serialKey(serialNumber) }];
    const macs = macAddresses.map((mac, position) => ({
      index,
      field: `macAddresses.${position}`,
      key: macKey(mac),
    }));
    return [...place, ...serial, ...macs];
  });
  return [...tags, ...others];
}

const tagKey = (assetTag: string) => JSON.stringify(["tag", assetTag]);
const placeKey = (regionId: string, rack: string, unit: number) =>
  JSON.stringify(["unit", regionId, rack, unit]);
const serialKey = (serialNumber: string) => JSON.stringify(["serial", serialNumber]);
const macKey = (mac: string) => JSON.stringify(["mac", mac]);

/** A fault of one machine of a list. */
export interface IndexedFault extends FieldError {
  readonly index: number;
}

/** Faults that can be seen without the database: a unit without a rack, and values that occur twice. */
export function faultsAmong(machines: readonly MachineIdentity[]): readonly IndexedFault[] {
  const claims = claimsOf(machines);
  const byKey = Map.groupBy(claims, ({ key }) => key);
  const repeated = claims.filter(({ key }) => (byKey.get(key)?.length ?? 0) > 1);
  return [
    ...machines.flatMap(({ rack, unit }, index) =>
      unit !== null && rack === null ? [{ index, field: "unit", message: "requires a rack" }] : [],
    ),
    ...repeated.map(({ index, field }) => ({ index, field, message: "is duplicated" })),
  ];
}

/** Keeps the number of distinct statements small, and below every engine's parameter limit. */
const machinesPerQuery = 100;

/**
 * Names the stored machine for each value that is taken, except by `self`. Another transaction may take a value after
 * this: the database then refuses, and the caller answers with `takenMeanwhile`.
 */
export async function findTaken(
  tx: Tx,
  machines: readonly MachineIdentity[],
  self = "",
): Promise<readonly IndexedFault[]> {
  const holders = new Map<string, string>();
  for (let start = 0; start < machines.length; start += machinesPerQuery) {
    const some = machines.slice(start, start + machinesPerQuery);
    for (const { key, assetTag } of await findHolders(tx, some, self)) holders.set(key, assetTag);
  }
  return claimsOf(machines).flatMap(({ index, field, key }) => {
    const holder = holders.get(key);
    if (holder === undefined) return [];
    if (field === "assetTag") return [takenTag(index)];
    return [{ index, field, message: `already belongs to the machine ${holder}` }];
  });
}

export function takenTag(index: number): IndexedFault {
  return { index, field: "assetTag", message: "already belongs to another machine" };
}

async function findHolders(
  tx: Tx,
  machines: readonly MachineIdentity[],
  self: string,
): Promise<readonly { readonly key: string; readonly assetTag: string }[]> {
  const tags = machines.map(({ assetTag }) => assetTag);
  const serials = machines.flatMap(({ serialNumber }) => serialNumber ?? []);
  const macs = machines.flatMap(({ macAddresses }) => macAddresses);
  const racks = [
    ...new Set(machines.flatMap(({ rack, unit }) => (unit === null ? [] : (rack ?? [])))),
  ];
  const regions = [...new Set(machines.map(({ regionId }) => regionId))];
  const others = tx.selectFrom("machines").where("machines.id", "<>", self);
  const byTag = await others
    .select("asset_tag as assetTag")
    .where("asset_tag", "in", tags)
    .execute();
  const bySerial =
    serials.length === 0
      ? []
      : await others
          .select(["asset_tag as assetTag", "serial_number as serialNumber"])
          .where("serial_number", "in", serials)
          .execute();
  const byMac =
    macs.length === 0
      ? []
      : await others
          .innerJoin("machine_macs", "machine_macs.machine_id", "machines.id")
          .select(["asset_tag as assetTag", "mac"])
          .where("mac", "in", macs)
          .execute();
  const inRacks =
    racks.length === 0
      ? []
      : await others
          .select(["asset_tag as assetTag", "region_id as regionId", "rack", "unit"])
          .where(sql<boolean>`unit is not null and state <> 'RETIRED'`)
          .where("region_id", "in", regions)
          .where("rack", "in", racks)
          .execute();
  return [
    ...byTag.map(({ assetTag }) => ({ assetTag, key: tagKey(assetTag) })),
    ...bySerial.map(({ assetTag, serialNumber }) => ({
      assetTag,
      key: serialKey(serialNumber ?? ""),
    })),
    ...byMac.map(({ assetTag, mac }) => ({ assetTag, key: macKey(mac) })),
    ...inRacks.map(({ assetTag, regionId, rack, unit }) => ({
      assetTag,
      key: placeKey(regionId, rack ?? "", unit ?? 0),
    })),
  ];
}

const taken = (what: string): Refusal => ({
  code: "conflict",
  message: `Another machine took ${what} at the same moment. Read the machines again.`,
});

/** Answers for values that another transaction took after `findTaken`. */
export const takenMeanwhile: Readonly<Record<string, Refusal>> = {
  machines_asset_tag_unique: taken("the asset tag"),
  machines_serial_number_unique: taken("the serial number"),
  machines_region_id_rack_unit_unique: taken("the unit of the rack"),
  machine_macs_mac_unique: taken("a MAC address"),
};
