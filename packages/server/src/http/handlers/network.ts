import { listAssignments } from "#features/network/list-assignments.ts";
import { setReverseDns } from "#features/network/set-reverse-dns.ts";
import type { AssignmentRecord } from "#kernel/assignment-record.ts";
import type { Core } from "#kernel/core.ts";
import { isoTimeOrNull } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

export function networkHandlers(core: Core): Handlers<"listAssignments" | "setReverseDns"> {
  return {
    listAssignments: async ({ account }) => {
      const assignments = await listAssignments(core, account.accountId);
      return ok({ status: 200, body: { assignments: assignments.map(assignmentOnWire(core)) } });
    },
    setReverseDns: async ({ core, caller, parameters, body }) => {
      const result = await setReverseDns(core, caller, { ...body, assignmentId: parameters.id });
      return result.ok ? ok({ status: 200, body: result.value }) : result;
    },
  };
}

export function assignmentOnWire({ reverseDns }: Core) {
  return ({ answered, answeredAt, ...record }: AssignmentRecord) => ({
    ...record,
    family: record.family === 4 ? (4 as const) : (6 as const),
    ptrPublished:
      reverseDns === undefined
        ? null
        : { ptr: answered ?? "", checkedAt: isoTimeOrNull(answeredAt) },
  });
}
