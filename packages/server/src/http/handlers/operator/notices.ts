import { listAllNotices } from "#features/notices/list-all-notices.ts";
import { publishNotice } from "#features/notices/publish-notice.ts";
import { withdrawNotice } from "#features/notices/withdraw-notice.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";
import { noticeOnWire } from "#http/handlers/notices.ts";

type Notices = "listAllNotices" | "publishNotice" | "withdrawNotice";

export function operatorNoticeHandlers(core: Core): Handlers<Notices> {
  return {
    listAllNotices: async ({ query }) => {
      const notices = await listAllNotices(core, query.after);
      return ok({ status: 200, body: { notices: notices.map(noticeOnWire) } });
    },
    publishNotice: async ({ core, caller, body }) => {
      const result = await publishNotice(core, caller, body);
      return result.ok ? ok({ status: 201, body: noticeOnWire(result.value) }) : result;
    },
    withdrawNotice: async ({ core, caller, parameters }) => {
      const result = await withdrawNotice(core, caller, parameters.id);
      return result.ok ? ok({ status: 204, body: null }) : result;
    },
  };
}
