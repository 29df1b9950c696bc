import type { NoticeKind, Schema } from "#ports/schema.ts";

/** A notice as customers see it. Time in epoch milliseconds. */
export interface NoticeRecord {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly title: string;
  readonly text: string;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly createdAt: number;
  readonly regionIds: readonly string[];
  readonly serverIds: readonly string[];
}

/** The columns of `NoticeRecord`, under its names, without its targets. */
export const noticeColumns = [
  "notices.id",
  "notices.kind",
  "notices.title",
  "notices.text",
  "notices.starts_at as startsAt",
  "notices.ends_at as endsAt",
  "notices.created_at as createdAt",
] as const;

/** Adds to each notice the targets that the caller may see. */
export function withTargets<Notice extends { readonly id: string }>(
  notices: readonly Notice[],
  targets: readonly Schema["notice_targets"][],
): (Notice & Pick<NoticeRecord, "regionIds" | "serverIds">)[] {
  return notices.map((notice) => {
    const own = targets.filter((target) => target.notice_id === notice.id);
    const idsOf = (kind: "REGION" | "SERVER") =>
      own.filter((target) => target.kind === kind).map(({ target }) => target);
    return { ...notice, regionIds: idsOf("REGION"), serverIds: idsOf("SERVER") };
  });
}
