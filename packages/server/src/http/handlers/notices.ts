import { listNotices } from "#features/notices/list-notices.ts";
import type { NoticeRecord } from "#features/notices/notice-record.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

export function noticeHandlers(core: Core): Handlers<"listNotices"> {
  return {
    listNotices: async ({ account }) => {
      const notices = await listNotices(core, account.accountId);
      return ok({ status: 200, body: { notices: notices.map(noticeOnWire) } });
    },
  };
}

export function noticeOnWire<Notice extends NoticeRecord>(notice: Notice) {
  const { startsAt, endsAt, createdAt, regionIds, serverIds } = notice;
  return {
    ...notice,
    startsAt: isoTime(startsAt),
    endsAt: isoTime(endsAt),
    createdAt: isoTime(createdAt),
    regionIds: [...regionIds],
    serverIds: [...serverIds],
  };
}
