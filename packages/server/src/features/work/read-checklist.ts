import type { Kysely } from "kysely";
import { isChecklistKind, readLines, type ChecklistKind, type Tick } from "#kernel/checklists.ts";
import type { WorkItem } from "#kernel/work-queue/items.ts";
import type { Schema, WorkKind } from "#ports/schema.ts";

/** A step of an item's checklist, and who has ticked it. */
export interface ChecklistLine {
  readonly line: string;
  readonly tick: Tick | null;
}

interface Listed {
  readonly kind: WorkKind;
  readonly state: string;
  readonly detail: WorkItem["detail"];
  readonly ticks: readonly Tick[];
}

/** The current lines with their ticks. Of an ended item only what was ticked, because the lines may have changed since. */
export async function readChecklist(
  db: Kysely<Schema>,
  item: Listed,
): Promise<readonly ChecklistLine[]> {
  const { state, ticks } = item;
  if (state === "DONE" || state === "FAILED") {
    return ticks.map((tick) => ({ line: tick.line, tick }));
  }
  const tickOf = (line: string) => ticks.find((tick) => tick.line === line) ?? null;
  return (await linesOf(db, item)).map((line) => ({ line, tick: tickOf(line) }));
}

export async function linesOf(
  db: Kysely<Schema>,
  item: Pick<Listed, "kind" | "detail">,
): Promise<readonly string[]> {
  const kind = checklistKindOf(item);
  return kind === undefined ? [] : readLines(db, kind);
}

/** Actions have a checklist each. */
function checklistKindOf({
  kind,
  detail,
}: Pick<Listed, "kind" | "detail">): ChecklistKind | undefined {
  if (kind !== "SERVER_ACTION") return kind;
  const action = String(detail["action"]);
  return isChecklistKind(action) ? action : undefined;
}
