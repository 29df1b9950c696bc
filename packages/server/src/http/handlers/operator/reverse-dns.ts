import { readReverseDns } from "#features/reverse-dns/read-reverse-dns.ts";
import { requestRun } from "#features/reverse-dns/request-run.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime, isoTimeOrNull } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

export function reverseDnsHandlers(core: Core): Handlers<"readReverseDns" | "runReverseDns"> {
  return {
    readReverseDns: async () => {
      const { checkedAt, zones, drift, ...state } = await readReverseDns(core);
      const body = {
        ...state,
        checkedAt: isoTimeOrNull(checkedAt),
        zones: zones.map(({ comparedAt, ...zone }) => ({
          ...zone,
          comparedAt: comparedAt === 0 ? null : isoTime(comparedAt),
        })),
        drift: drift.map(({ at, ...one }) => ({ ...one, at: isoTime(at) })),
      };
      return ok({ status: 200, body });
    },
    runReverseDns: async ({ core, caller }) => {
      const result = await requestRun(core, caller);
      if (!result.ok) return result;
      return ok({ status: 202, body: { requestedAt: isoTime(result.value.requestedAt) } });
    },
  };
}
