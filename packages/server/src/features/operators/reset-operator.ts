import { audit } from "#kernel/audit.ts";
import { actorOf, type Call } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { deletePasskeys } from "#kernel/passkeys/passkeys.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import { removeFactor } from "#kernel/second-factor/stored-factor.ts";
import { lockOperator, type OperatorReference } from "./lock-operator.ts";
import { newOperatorPassword } from "./operator-password.ts";
import { endOperatorSessions } from "#kernel/access/operator-sessions.ts";

const changeYourOwn = "You cannot reset yourself. Change your password under Security.";

export interface ResetOperator {
  readonly username: string;
  readonly password: string;
  readonly isDisabled: boolean;
}

/**
 * Resets an operator who has lost the password or the second factor: a new password, no second factor, no
 * passkeys, no sessions. A disabled operator stays disabled.
 */
export async function resetOperator(
  core: Core,
  call: Call,
  reference: OperatorReference,
): Promise<Result<ResetOperator>> {
  const password = newOperatorPassword(core.random);
  const passwordHash = await core.passwords.hash(password);
  if (!passwordHash.ok) return passwordHash;
  return core.db.write(async (tx) => {
    const found = await lockOperator(tx, reference);
    if (!found.ok) return found;
    const { id, username, disabledAt } = found.value;
    // A lost answer would lock the caller out.
    if (actorOf(call) === id) return refuse("conflict", { message: changeYourOwn });
    await tx
      .updateTable("operators")
      .set({ password_hash: passwordHash.value })
      .where("id", "=", id)
      .execute();
    await removeFactor(tx, { kind: "operator", id });
    await deletePasskeys(tx, { side: "operator", id });
    await endOperatorSessions(tx, id);
    await audit({ tx, core, call }, "operator.reset", id, { username });
    return ok({ username, password, isDisabled: disabledAt !== null });
  });
}
