import { limits } from "@ironlease/contract";
import type { Core } from "#kernel/core.ts";
import { selectWork, toRecord, type WorkRecord } from "./work-record.ts";

/** The latest work on a server, newest first, in any state. */
export async function listServerWork(core: Core, serverId: string): Promise<readonly WorkRecord[]> {
  const { read } = core.db;
  const page = read
    .selectFrom("work")
    .select("id")
    .where("server_id", "=", serverId)
    .orderBy("id", "desc")
    .limit(limits.listLength);
  const rows = await selectWork(read)
    .where("work.id", "in", read.selectFrom(page.as("page")).select("id"))
    .orderBy("work.id", "desc")
    .limit(limits.listLength)
    .execute();
  return rows.map((row) => toRecord(core, row));
}
