import { setChecklist } from "#features/checklists/set-checklist.ts";
import { readChecklists, type Checklist } from "#kernel/checklists.ts";
import type { Core } from "#kernel/core.ts";
import { isoTimeOrNull } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

export function checklistHandlers(core: Core): Handlers<"listChecklists" | "setChecklist"> {
  return {
    listChecklists: async () => {
      const checklists = await readChecklists(core.db.read);
      return ok({ status: 200, body: { checklists: checklists.map(checklistOnWire) } });
    },
    setChecklist: async ({ core, caller, parameters, body }) => {
      const result = await setChecklist(core, caller, { ...body, kind: parameters.kind });
      return result.ok ? ok({ status: 200, body: checklistOnWire(result.value) }) : result;
    },
  };
}

function checklistOnWire({ lines, changedAt, ...checklist }: Checklist) {
  return { ...checklist, lines: [...lines], changedAt: isoTimeOrNull(changedAt) };
}
