import { limits } from "@ironlease/contract";
import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import { normaliseMac } from "#kernel/machine-identity.ts";
import { escapePattern } from "#kernel/sql/patterns.ts";
import type { MachineState } from "#ports/schema.ts";
import { selectMachines, toMachineRecords, type MachineRecord } from "./machine-record.ts";

export interface MachineFilter {
  readonly state?: MachineState;
  readonly configId?: string;
  readonly regionId?: string;
  /** An id, a MAC address, or the start of an asset tag, rack or serial number in any case. */
  readonly query?: string;
  /** The last id of the previous page. */
  readonly after?: string;
}

/** A page of machines in the order they were added. Takes two queries. */
export async function listMachines(
  { db }: Core,
  filter: MachineFilter,
): Promise<readonly MachineRecord[]> {
  const { state, configId, regionId, after } = filter;
  let machines = selectMachines(db.read).orderBy("machines.id").limit(limits.listLength);
  if (state !== undefined) machines = machines.where("machines.state", "=", state);
  if (configId !== undefined) machines = machines.where("config_id", "=", configId);
  if (regionId !== undefined) machines = machines.where("region_id", "=", regionId);
  if (after !== undefined) machines = machines.where("machines.id", ">", after);
  const query = filter.query?.trim() ?? "";
  if (query !== "") {
    // Lower case on both sides, because only one of the engines compares patterns case-sensitively.
    const beginning = `${escapePattern(query.toLowerCase())}%`;
    machines = machines.where((eb) =>
      eb.or([
        eb("machines.id", "=", query),
        sql<boolean>`lower(asset_tag) like ${beginning} escape '\\'`,
        sql<boolean>`lower(rack) like ${beginning} escape '\\'`,
        sql<boolean>`lower(serial_number) like ${beginning} escape '\\'`,
        eb("machines.id", "=", (of) =>
          of.selectFrom("machine_macs").select("machine_id").where("mac", "=", normaliseMac(query)),
        ),
      ]),
    );
  }
  return toMachineRecords(db.read, await machines.execute());
}
