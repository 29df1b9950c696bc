import type { Kysely } from "kysely";
import { findController } from "#kernel/controllers.ts";
import type { RunnableItem } from "#kernel/hardware-programs.ts";
import type { Schema } from "#ports/schema.ts";

/** The machine behind an item, and its controller if it has one. */
export interface RunTarget extends RunnableItem {
  readonly machineId: string;
  readonly controller: Awaited<ReturnType<typeof findController>>;
}

/** Undefined for an item without a server. */
export async function findRunTarget(
  db: Kysely<Schema>,
  workId: string,
): Promise<RunTarget | undefined> {
  const row = await db
    .selectFrom("work")
    .innerJoin("servers", "servers.id", "work.server_id")
    .select([
      "work.kind",
      "work.detail",
      "work.action_id as actionId",
      "servers.machine_id as machineId",
      "servers.state as serverState",
    ])
    .where("work.id", "=", workId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { detail, ...item } = row;
  const { action } = JSON.parse(detail) as { readonly action?: unknown };
  return {
    ...item,
    action: typeof action === "string" ? action : null,
    controller: await findController(db, item.machineId),
  };
}
