import { listOperators, type ListedOperator } from "#features/operators/list-operators.ts";
import { isoTime, isoTimeOrNull, minuteText } from "#kernel/iso-time.ts";
import { aligned } from "#commands/aligned.ts";
import type { Call } from "#commands/command.ts";
import { addOperatorFirst, withDatabase } from "#commands/with-database.ts";

const headings = ["NAME", "ROLE", "SECOND FACTOR", "DISABLED", "LAST SEEN"];

export function listOperatorsCommand({ env, print, data }: Call): Promise<number> {
  return withDatabase(env, print, addOperatorFirst, async (core) => {
    const operators = await listOperators(core);
    data({ operators: operators.map(documentOf) });
    if (operators.length === 0) print("No operators yet. To add one: ironleased operator add NAME");
    else for (const line of aligned([headings, ...operators.map(cellsOf)])) print(line);
    return 0;
  });
}

function cellsOf(operator: ListedOperator): readonly string[] {
  const { username, role, hasSecondFactor, disabledAt, lastSeenAt } = operator;
  return [
    username,
    role,
    hasSecondFactor ? "on" : "off",
    disabledAt === null ? "no" : `since ${minuteText(disabledAt)}`,
    lastSeenAt === null ? "never" : minuteText(lastSeenAt),
  ];
}

function documentOf(operator: ListedOperator) {
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
