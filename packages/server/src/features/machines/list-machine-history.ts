import { idPrefixes, limits, type IdKind } from "@ironlease/contract";
import { sql, type Kysely } from "kysely";
import type { AuditDetail } from "#kernel/audit.ts";
import type { Core } from "#kernel/core.ts";
import type { Schema } from "#ports/schema.ts";

/** Something that happened on or to a machine. Time in epoch milliseconds. */
export interface MachineHistoryEntry {
  readonly id: string;
  readonly kind: "SERVER" | "WORK" | "RUN" | "CHANGE";
  readonly at: number;
  readonly endedAt: number | null;
  readonly event: string;
  readonly state: string | null;
  readonly by: string | null;
  readonly serverId: string | null;
  readonly accountId: string | null;
  readonly hostname: string | null;
  readonly workId: string | null;
  readonly outcome: string | null;
  readonly note: string | null;
  readonly detail: AuditDetail;
}

/**
 * A page of a machine's history, newest first, with one query for each source. The part of an id after its prefix
 * sorts by time of creation, whatever the kind, so it orders the page and marks where the next one starts. Undefined
 * when there is no such machine.
 */
export async function listMachineHistory(
  { db }: Core,
  machineId: string,
  after = "",
): Promise<readonly MachineHistoryEntry[] | undefined> {
  const machine = db.read.selectFrom("machines").select("id").where("id", "=", machineId);
  if ((await machine.executeTakeFirst()) === undefined) return undefined;
  const sources = [readServers, readWork, readRuns, readChanges];
  // Above every base 32 digit, so that the first page starts at the newest entry.
  const before = suffixOf(after) || "~";
  const pages = await Promise.all(sources.map((read) => read(db.read, machineId, before)));
  return pages
    .flat()
    .toSorted((a, b) => (suffixOf(a.id) < suffixOf(b.id) ? 1 : -1))
    .slice(0, limits.listLength);
}

function suffixOf(id: string): string {
  return id.slice(id.indexOf("_") + 1);
}

type Source = (
  db: Kysely<Schema>,
  machineId: string,
  before: string,
) => Promise<readonly MachineHistoryEntry[]>;

const bound = (kind: IdKind, before: string) => `${idPrefixes[kind]}_${before}`;

const nothing = {
  endedAt: null,
  state: null,
  by: null,
  serverId: null,
  accountId: null,
  hostname: null,
  workId: null,
  outcome: null,
  note: null,
  detail: {},
} as const;

/** A server ends when its machine is to be reclaimed, or when its delivery fails. */
const readServers: Source = async (db, machineId, before) => {
  const rows = await db
    .selectFrom("servers")
    .innerJoin("accounts", "accounts.id", "servers.account_id")
    .select((eb) => [
      "servers.id",
      "servers.created_at as at",
      "servers.state",
      "servers.account_id as accountId",
      "accounts.username",
      "hostname",
      eb
        .selectFrom("work")
        .select(sql<number | null>`max(coalesce(ended_at, 0))`.as("at"))
        .whereRef("work.server_id", "=", "servers.id")
        .where("work.kind", "=", "PROVISION")
        .as("provisionedAt"),
      eb
        .selectFrom("work")
        .select((work) => work.fn.min("work.created_at").as("at"))
        .whereRef("work.server_id", "=", "servers.id")
        .where("work.kind", "=", "RECLAIM")
        .as("reclaimedAt"),
    ])
    .where("machine_id", "=", machineId)
    .where("servers.id", "<", bound("server", before))
    .orderBy("servers.id", "desc")
    .limit(limits.listLength)
    .execute();
  return rows.map(({ id, at, state, accountId, username, hostname, ...times }) => ({
    ...nothing,
    id,
    kind: "SERVER" as const,
    at,
    endedAt: state === "TERMINATED" ? (times.reclaimedAt ?? times.provisionedAt) : null,
    event: "ORDERED",
    state,
    by: username,
    serverId: id,
    accountId,
    hostname,
  }));
};

const readWork: Source = async (db, machineId, before) => {
  const rows = await db
    .selectFrom("servers")
    .innerJoin("work", "work.server_id", "servers.id")
    .leftJoin("operators", "operators.id", "work.claimed_by")
    .select([
      "work.id",
      "work.created_at as at",
      "work.ended_at as endedAt",
      "work.kind as event",
      "work.state",
      "operators.username as by",
      "work.server_id as serverId",
      "work.account_id as accountId",
      "hostname",
      "outcome",
      "note",
    ])
    .where("machine_id", "=", machineId)
    .where("work.id", "<", bound("work", before))
    .orderBy("work.id", "desc")
    .limit(limits.listLength)
    .execute();
  return rows.map((row) => ({ ...nothing, ...row, kind: "WORK" as const, workId: row.id }));
};

const readRuns: Source = async (db, machineId, before) => {
  const rows = await db
    .selectFrom("hardware_runs")
    .innerJoin("operators", "operators.id", "hardware_runs.operator_id")
    .select([
      "hardware_runs.id",
      "hardware_runs.created_at as at",
      "ended_at as endedAt",
      "program as event",
      "hardware_runs.state",
      "operators.username as by",
      "work_id as workId",
      "step as note",
    ])
    .where("machine_id", "=", machineId)
    .where("hardware_runs.id", "<", bound("hardwareRun", before))
    .orderBy("hardware_runs.id", "desc")
    .limit(limits.listLength)
    .execute();
  return rows.map((row) => ({ ...nothing, ...row, kind: "RUN" as const }));
};

const readChanges: Source = async (db, machineId, before) => {
  const rows = await db
    .selectFrom("audit")
    .leftJoin("operators", "operators.id", "audit.actor")
    .select(["audit.id", "at", "action as event", "actor", "operators.username", "detail"])
    .where("subject", "=", machineId)
    .where("audit.id", "<", bound("auditEntry", before))
    .orderBy("audit.id", "desc")
    .limit(limits.listLength)
    .execute();
  return rows.map(({ actor, username, detail, ...row }) => ({
    ...nothing,
    ...row,
    kind: "CHANGE" as const,
    by: username ?? actor,
    detail: JSON.parse(detail) as AuditDetail,
  }));
};
