import type { Core } from "#kernel/core.ts";
import type { ServerState } from "#ports/schema.ts";
import { findMachine, type MachineRecord } from "./machine-record.ts";

export interface MachineDetails extends MachineRecord {
  readonly createdAt: number;
  /** The server that the machine is reserved for or assigned to. */
  readonly server: {
    readonly id: string;
    readonly accountId: string;
    readonly username: string;
    readonly hostname: string | null;
    readonly state: ServerState;
  } | null;
}

/** Undefined when there is no such machine. */
export async function readMachine(
  { db }: Core,
  machineId: string,
): Promise<MachineDetails | undefined> {
  const record = await findMachine(db.read, machineId);
  if (record === undefined) return undefined;
  const { createdAt } = await db.read
    .selectFrom("machines")
    .select("created_at as createdAt")
    .where("id", "=", machineId)
    .executeTakeFirstOrThrow();
  const server = await db.read
    .selectFrom("servers")
    .innerJoin("accounts", "accounts.id", "servers.account_id")
    .select(["servers.id", "servers.account_id as accountId", "username", "hostname", "state"])
    .where("machine_id", "=", machineId)
    .where("state", "<>", "TERMINATED")
    .executeTakeFirst();
  return { ...record, createdAt, server: server ?? null };
}
