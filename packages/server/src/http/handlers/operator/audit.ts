import { listAudit } from "#features/audit/list-audit.ts";
import type { AuditRecord } from "#features/customers/account-audit.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

export function auditHandlers(core: Core): Handlers<"listAudit"> {
  return {
    listAudit: async ({ query }) => {
      const found = await listAudit(core, query);
      if (!found.ok) return found;
      return ok({ status: 200, body: { entries: found.value.map(auditOnWire) } });
    },
  };
}

export function auditOnWire(entry: AuditRecord) {
  return { ...entry, at: isoTime(entry.at) };
}
