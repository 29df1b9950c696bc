import { endOperatorSessions } from "#kernel/access/operator-sessions.ts";
import { voidApprovals } from "#kernel/approvals.ts";
import { audit } from "#kernel/audit.ts";
import type { Call, Step } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { readNetworks } from "#kernel/access/allowed-networks.ts";
import { voidProposals } from "#kernel/operator-rates.ts";
import type { Result } from "#ports/result.ts";
import { ok } from "#kernel/result.ts";
import type { OperatorRole } from "#ports/schema.ts";
import { checkLockout, lockEnabledAdmins } from "./check-lockout.ts";
import { lockOperator, type LockedOperator, type OperatorReference } from "./lock-operator.ts";

/** Absent fields stay as they are. */
export interface OperatorChange {
  readonly role?: OperatorRole | undefined;
  readonly disabled?: boolean | undefined;
  /** Null: anywhere. */
  readonly allowedNetworks?: readonly string[] | null | undefined;
  /** Needed to lock out the address that the caller uses. */
  readonly confirmLockout?: boolean | undefined;
}

/**
 * Changes role, status or networks of an operator, unless no admin could sign in afterwards. Requests that are still
 * arriving see the change, because every write checks its caller again.
 */
export async function changeOperator(
  core: Core,
  call: Call,
  reference: OperatorReference,
  change: OperatorChange,
): Promise<Result<{ readonly username: string; readonly isChanged: boolean }>> {
  const networks = readNetworks(change.allowedNetworks);
  if (!networks.ok) return networks;
  return core.db.write(async (tx) => {
    const admins = await lockEnabledAdmins(tx);
    const found = await lockOperator(tx, reference);
    if (!found.ok) return found;
    const before = found.value;
    const { role = before.role, disabled = before.disabledAt !== null, confirmLockout } = change;
    const after: LockedOperator = {
      ...before,
      role,
      disabledAt: disabled ? (before.disabledAt ?? core.clock.now()) : null,
      allowedNetworks:
        change.allowedNetworks === undefined ? before.allowedNetworks : networks.value,
    };
    const allowed = checkLockout(call, admins, { before, after, confirmLockout });
    if (!allowed.ok) return allowed;
    const isChanged = await store({ tx, core, call }, before, after);
    return ok({ username: before.username, isChanged });
  });
}

/** Records each change on its own. False if there is none. */
async function store(step: Step, before: LockedOperator, after: LockedOperator): Promise<boolean> {
  const { tx } = step;
  const { id, username, role, disabledAt, allowedNetworks } = after;
  const networks = allowedNetworks && JSON.stringify(allowedNetworks);
  const newRole = role !== before.role;
  const newStatus = (disabledAt === null) !== (before.disabledAt === null);
  const newNetworks =
    networks !== (before.allowedNetworks && JSON.stringify(before.allowedNetworks));
  const isDisabled = disabledAt !== null;
  if (newRole || newStatus || newNetworks) {
    await tx
      .updateTable("operators")
      .set({ role, disabled_at: disabledAt, allowed_networks: networks })
      .where("id", "=", id)
      .execute();
  }
  if (newRole) {
    await audit(step, "operator.change_role", id, { username, from: before.role, to: role });
  }
  if (newNetworks) {
    const detail = { username, networks: allowedNetworks?.join(" ") ?? null };
    await audit(step, "operator.set_networks", id, detail);
  }
  if (newStatus) {
    if (isDisabled) await endOperatorSessions(tx, id);
    await audit(step, isDisabled ? "operator.disable" : "operator.enable", id, { username });
  }
  // After the sessions have ended, so that no new approval or proposal can follow.
  if (isDisabled || (newRole && role === "support")) {
    await voidApprovals(step, { id, username });
    await voidProposals(step, { id, username });
  }
  return newRole || newStatus || newNetworks;
}
