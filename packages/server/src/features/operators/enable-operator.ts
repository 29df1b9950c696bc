import { audit } from "#kernel/audit.ts";
import { systemCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import type { Result } from "#ports/result.ts";
import { ok } from "#kernel/result.ts";
import { lockOperator } from "./lock-operator.ts";

/** Enables an operator again, with the same password and second factor. */
export async function enableOperator(
  core: Core,
  name: string,
): Promise<Result<{ readonly username: string; readonly isChanged: boolean }>> {
  return core.db.write(async (tx) => {
    const found = await lockOperator(tx, name);
    if (!found.ok) return found;
    const { id, username, disabledAt } = found.value;
    const isChanged = disabledAt !== null;
    if (isChanged) {
      await tx.updateTable("operators").set({ disabled_at: null }).where("id", "=", id).execute();
      await audit({ tx, core, call: systemCall }, "operator.enable", id, { username });
    }
    return ok({ username, isChanged });
  });
}
