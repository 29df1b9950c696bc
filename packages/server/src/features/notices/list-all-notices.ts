import { limits } from "@ironlease/contract";
import type { Core } from "#kernel/core.ts";
import { noticeColumns, withTargets, type NoticeRecord } from "./notice-record.ts";

/** A notice as operators see it. */
export interface PublishedNotice extends NoticeRecord {
  readonly publishedBy: string;
}

/** A page of all notices, newest first. */
export async function listAllNotices(
  { db }: Core,
  after: string = "",
): Promise<readonly PublishedNotice[]> {
  let query = db.read
    .selectFrom("notices")
    .innerJoin("operators", "operators.id", "notices.published_by")
    .select(noticeColumns)
    .select("operators.username as publishedBy")
    .orderBy("notices.id", "desc")
    .limit(limits.listLength);
  if (after !== "") query = query.where("notices.id", "<", after);
  const notices = await query.execute();
  if (notices.length === 0) return [];
  const ids = notices.map(({ id }) => id);
  const targets = db.read.selectFrom("notice_targets").selectAll().where("notice_id", "in", ids);
  return withTargets(notices, await targets.execute());
}
