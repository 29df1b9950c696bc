import { limits } from "@ironlease/contract";
import { sql, type Kysely } from "kysely";
import type { Core } from "#kernel/core.ts";
import type { Schema } from "#ports/schema.ts";
import { noticeColumns, withTargets, type NoticeRecord } from "./notice-record.ts";

/**
 * The current notices that concern the account, in order of their start. It learns of its own servers only, because a
 * notice may name those of other customers.
 */
export async function listNotices(
  { db, clock }: Core,
  accountId: string,
): Promise<readonly NoticeRecord[]> {
  const notices = await db.read
    .selectFrom("notices")
    .select(noticeColumns)
    .where("ends_at", ">", clock.now())
    .where((eb) =>
      eb.or([
        eb("is_for_all", "=", sql.lit(1)),
        eb("id", "in", targetsOf(db.read, accountId, "REGION").select("notice_id")),
        eb("id", "in", targetsOf(db.read, accountId, "SERVER").select("notice_id")),
      ]),
    )
    .orderBy("starts_at")
    .orderBy("id")
    .limit(limits.currentNotices)
    .execute();
  if (notices.length === 0) return [];
  const ids = notices.map(({ id }) => id);
  const regions = db.read
    .selectFrom("notice_targets")
    .selectAll()
    .where("notice_id", "in", ids)
    .where("kind", "=", "REGION");
  const servers = targetsOf(db.read, accountId, "SERVER")
    .select(["notice_id", "kind", "target"])
    .where("notice_id", "in", ids);
  return withTargets(notices, [...(await regions.execute()), ...(await servers.execute())]);
}

/** The targets that are one of the account's current servers, or a region of one. */
function targetsOf(db: Kysely<Schema>, accountId: string, kind: "REGION" | "SERVER") {
  const column = kind === "REGION" ? "servers.region_id" : "servers.id";
  return db
    .selectFrom("servers")
    .innerJoin("notice_targets", "notice_targets.target", column)
    .where("notice_targets.kind", "=", kind)
    .where("servers.account_id", "=", accountId)
    .where("servers.state", "<>", "TERMINATED");
}
