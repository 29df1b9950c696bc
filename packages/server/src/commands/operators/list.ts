import { listOperators, type ListedOperator } from "#features/operators/list-operators.ts";
import type { Call } from "#commands/command.ts";
import { addOperatorFirst, withDatabase } from "#commands/with-database.ts";

const headings = ["NAME", "ROLE", "SECOND FACTOR", "DISABLED", "LAST SEEN"];

export function listOperatorsCommand({ env, print }: Call): Promise<number> {
  return withDatabase(env, print, addOperatorFirst, async (core) => {
    const operators = await listOperators(core);
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
    disabledAt === null ? "no" : `since ${minuteOf(disabledAt)}`,
    lastSeenAt === null ? "never" : minuteOf(lastSeenAt),
  ];
}

function minuteOf(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = headings.map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  return rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
