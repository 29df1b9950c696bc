import { setPtr } from "#kernel/addresses.ts";
import { audit } from "#kernel/audit.ts";
import { accepted } from "#kernel/checked.ts";
import type { CustomerCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse, refuseField } from "#kernel/result.ts";
import { readHostName } from "./host-name.ts";

export interface ReverseDns {
  readonly id: string;
  /** Empty when none is set. */
  readonly ptr: string;
}

/**
 * Stores the name that one of the account's addresses points to. Empty or null clears it. It is published afterwards,
 * so an outage of DNS does not affect this.
 */
export async function setReverseDns(
  core: Core,
  call: CustomerCall,
  input: { readonly assignmentId: string; readonly ptr: string | null },
): Promise<Result<ReverseDns>> {
  const { accountId } = call;
  const { assignmentId } = input;
  const isCleared = input.ptr === null || input.ptr === "";
  const read = isCleared ? accepted("") : readHostName(input.ptr);
  if (!read.ok) return refuseField("ptr", read.message);
  const ptr = read.value;

  const stored = await core.db.write(async (tx) => {
    const assignment = await lockAssignment(tx, accountId, assignmentId);
    if (assignment === undefined) return refuse("not_found");
    if (assignment.ptr === ptr) return ok({ id: assignmentId, ptr });

    await setPtr({ tx, core }, { accountId, assignmentId }, ptr);
    await audit({ tx, core, call }, "assignment.set_ptr", assignmentId, { ptr });
    return ok({ id: assignmentId, ptr });
  });
  if (stored.ok) core.reverseDns?.changes.notify();
  return stored;
}

/** Locks only the assignment's row. A termination releases the address under the same lock. */
async function lockAssignment(
  tx: Tx,
  accountId: string,
  assignmentId: string,
): Promise<{ readonly ptr: string } | undefined> {
  return tx
    .selectFrom("assignments")
    .innerJoin("servers", "servers.id", "assignments.server_id")
    .select("assignments.ptr")
    .where("assignments.id", "=", assignmentId)
    .where("assignments.account_id", "=", accountId)
    .where("assignments.released_at", "is", null)
    .where("servers.account_id", "=", accountId)
    .where("servers.state", "<>", "TERMINATED")
    .forUpdate("assignments")
    .executeTakeFirst();
}
