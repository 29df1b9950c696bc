import { listOperators, type ListedOperator } from "#features/operators/list-operators.ts";
import { isoTime, isoTimeOrNull } from "#kernel/iso-time.ts";
import type { Call } from "#commands/command.ts";
import { showList } from "#commands/show-list.ts";
import { addOperatorFirst, withDatabase } from "#commands/with-database.ts";
import { operatorColumns, type OperatorDocument } from "./columns.ts";

export function listOperatorsCommand(call: Call): Promise<number> {
  return withDatabase(call.env, call.print, addOperatorFirst, async (core) => {
    const operators = (await listOperators(core)).map(documentOf);
    const none = "No operators yet. To add one: ironleased operator add NAME";
    showList(call, { operators }, { rows: operators, columns: operatorColumns, none });
    return 0;
  });
}

function documentOf(operator: ListedOperator): OperatorDocument {
  const { id, username, role, hasSecondFactor, allowedNetworks } = operator;
  return {
    id,
    username,
    role,
    secondFactor: hasSecondFactor,
    allowedNetworks,
    createdAt: isoTime(operator.createdAt),
    disabledAt: isoTimeOrNull(operator.disabledAt),
    lastSeenAt: isoTimeOrNull(operator.lastSeenAt),
  };
}
