import { limits } from "@ironlease/contract";
import { audit } from "#kernel/audit.ts";
import type { OperatorCall } from "#kernel/call.ts";
import { isChecklistKind, saveLines, type Checklist } from "#kernel/checklists.ts";
import type { Core } from "#kernel/core.ts";
import { ok, refuse, refuseField } from "#kernel/result.ts";
import type { Result } from "#ports/result.ts";

/** Replaces the lines that operators tick off for one kind of work. */
export function setChecklist(
  core: Core,
  call: OperatorCall,
  input: { readonly kind: string; readonly lines: readonly string[] },
): Promise<Result<Checklist>> {
  return core.db.write(async (tx) => {
    const { kind } = input;
    if (!isChecklistKind(kind)) return refuse("not_found");
    const lines = readLines(input.lines);
    if (!lines.ok) return lines;
    const by = call.operator.username;
    const saved = await saveLines({ tx, core }, kind, { lines: lines.value, by });
    await audit({ tx, core, call }, "checklist.set", kind, { lines: lines.value.join("\n") });
    return ok(saved);
  });
}

/** A line is known by its text, so no two are the same. */
function readLines(input: readonly string[]): Result<readonly string[]> {
  const lines = input.map((line) => line.trim());
  for (const [index, line] of lines.entries()) {
    const field = `lines.${index}`;
    if (line === "" || /\p{Cc}/u.test(line)) {
      return refuseField(field, `must be 1 to ${limits.checklistLine.max} characters on one line`);
    }
    if (lines.indexOf(line) !== index) return refuseField(field, "must differ from other lines");
  }
  return ok(lines);
}
