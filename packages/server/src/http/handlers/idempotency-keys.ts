import { findKey } from "#features/idempotency-keys/find-key.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

export function idempotencyKeyHandlers(core: Core): Handlers<"findIdempotencyKey"> {
  return {
    findIdempotencyKey: async ({ account, parameters }) => {
      const records = await findKey(core, account.accountId, parameters.key);
      if (records.length === 0) return refuse("not_found");
      const body = {
        records: records.map((record) => ({ ...record, createdAt: isoTime(record.createdAt) })),
      };
      return ok({ status: 200, body });
    },
  };
}
