import { voidApprovals } from "#kernel/approvals.ts";
import { audit } from "#kernel/audit.ts";
import { systemCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { voidProposals } from "#kernel/operator-rates.ts";
import type { Result } from "#ports/result.ts";
import { ok } from "#kernel/result.ts";
import { lockOperator } from "./lock-operator.ts";
import { endOperatorSessions } from "#kernel/access/operator-sessions.ts";

/** Disables an operator: ends every session, refuses new ones and voids the operator's approvals and proposed rates. */
export async function disableOperator(
  core: Core,
  name: string,
): Promise<Result<{ readonly username: string; readonly isChanged: boolean }>> {
  return core.db.write(async (tx) => {
    const step = { tx, core, call: systemCall };
    const found = await lockOperator(tx, name);
    if (!found.ok) return found;
    const { id, username, disabledAt } = found.value;
    const isChanged = disabledAt === null;
    if (isChanged) {
      const disabled = { disabled_at: core.clock.now() };
      await tx.updateTable("operators").set(disabled).where("id", "=", id).execute();
      await endOperatorSessions(tx, id);
      await audit(step, "operator.disable", id, { username });
    }
    // After the sessions have ended, so that no new approval or proposal can follow.
    await voidApprovals(step, { id, username });
    await voidProposals(step, { id, username });
    return ok({ username, isChanged });
  });
}
