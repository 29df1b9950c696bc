import { listActivity } from "#features/activity/list-activity.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

export function activityHandlers(core: Core): Handlers<"listActivity"> {
  return {
    listActivity: async ({ account, query }) => {
      const found = await listActivity(core, account.accountId, query.after);
      const entries = found.map((entry) => ({ ...entry, at: isoTime(entry.at) }));
      return ok({ status: 200, body: { entries } });
    },
  };
}
