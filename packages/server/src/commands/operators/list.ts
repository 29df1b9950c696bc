import { listOperators, type ListedOperator } from "../../features/operators/list-operators.ts";
import { sayWhoMakesIt, withDatabase, type Environment, type Print } from "../with-database.ts";

const heading = ["NAME", "ROLE", "SECOND FACTOR", "DISABLED", "LAST SEEN"];

/** Prints every operator in a table. */
export function operatorList(env: Environment, print: Print): Promise<number> {
  return withDatabase(env, print, sayWhoMakesIt, async (core) => {
    const operators = await listOperators(core);
    if (operators.length === 0) {
      print("There is no operator yet: ironleased operator add NAME adds one.");
      return 0;
    }
    for (const line of aligned([heading, ...operators.map(cellsOf)])) print(line);
    return 0;
  });
}

function cellsOf(operator: ListedOperator): readonly string[] {
  const { username, role, hasSecondFactor, disabledAt, lastSeenAt } = operator;
  return [
    username,
    role,
    hasSecondFactor ? "on" : "off",
    disabledAt === null ? "no" : `since ${shown(disabledAt)}`,
    lastSeenAt === null ? "never" : shown(lastSeenAt),
  ];
}

function shown(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** Each column as wide as its widest cell. */
function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = heading.map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  return rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
