import { audit } from "#kernel/audit.ts";
import type { Core } from "#kernel/core.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { OperatorSessionCall } from "./authenticate-operator.ts";
import { newTotpSecret, otpauthUri, totpContext } from "./totp.ts";

export interface BegunTotp {
  readonly secret: string;
  readonly otpauthUri: string;
}

/** An attacker who finds an open session is unlikely to find one this recent. */
const freshMs = 15 * 60_000;

/** Issues a new secret to an operator who has just signed in. It takes effect once a code confirms it. */
export async function beginTotp(core: Core, call: OperatorSessionCall): Promise<Result<BegunTotp>> {
  const { operatorId, username, signedInAt } = call.operator;
  if (core.clock.now() >= signedInAt + freshMs) {
    return refuse("conflict", { message: signInAgain });
  }
  const secret = newTotpSecret(core.random);
  const sealed = await core.sealing.seal(secret, totpContext(operatorId));
  return core.db.write(async (tx) => {
    const begun = await tx
      .updateTable("operators")
      .set({ totp_pending: sealed })
      .where("id", "=", operatorId)
      .where("totp_secret", "is", null)
      .executeTakeFirst();
    if (begun.numUpdatedRows === 0n) return refuseExistingFactor(username);
    await audit({ tx, core, call }, "operator.begin_totp", operatorId);
    return ok({ secret, otpauthUri: otpauthUri(secret, username) });
  });
}

const signInAgain =
  "Sign out and in again. You can set up a second factor only within 15 minutes of signing in.";

/** An attacker with an open session must not be able to set up a second factor of their own. */
export function refuseExistingFactor(username: string): Result<never> {
  return refuse("conflict", {
    message: `The second factor is already set up. To replace it, ask someone with access to the server to run: ironleased operator reset ${username}`,
  });
}
