import { audit } from "#kernel/audit.ts";
import type { Core } from "#kernel/core.ts";
import { endOtherOperatorSessions } from "#kernel/access/operator-sessions.ts";
import { countAttempts } from "#kernel/access/password-attempts.ts";
import { giveBackAttempts, type Attempt } from "#kernel/rate-limits.ts";
import { newRecoveryCode, normalizeRecoveryCode } from "#kernel/access/readable-code.ts";
import { refuseAccess } from "#kernel/access/refused-access.ts";
import { hashSecret } from "#kernel/access/secrets.ts";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { OperatorSessionCall } from "./authenticate-operator.ts";
import { refuseExistingFactor } from "./begin-totp.ts";
import { stepOfCode, totpContext } from "./totp.ts";

const recoveryCodeCount = 10;

/**
 * Activates the second factor once a code proves that the app has the secret. The recovery codes are shown only here.
 * All other sessions end, because they were started without the second factor.
 */
export async function confirmTotp(
  core: Core,
  call: OperatorSessionCall,
  code: string,
): Promise<Result<{ readonly recoveryCodes: readonly string[] }>> {
  const { operatorId, username, sessionId } = call.operator;
  const { totp_secret: secret, totp_pending: pending } = await core.db.read
    .selectFrom("operators")
    .select(["totp_secret", "totp_pending"])
    .where("id", "=", operatorId)
    .executeTakeFirstOrThrow();
  if (secret !== null) return refuseExistingFactor(username);
  if (pending === null) return refuse("conflict", { message: beginFirst });

  // Counted separately from codes at sign-in, so that a stranger who guesses those cannot block the setup.
  const guess: Attempt = { limit: "secondFactorPerOperator", subject: `confirm ${operatorId}` };
  const counted = await countAttempts(core, [guess]);
  if (!counted.ok) return counted;
  const opened = await core.sealing.open(pending, totpContext(operatorId));
  const step = stepOfCode(opened, code, core.clock.now());
  if (step === undefined) {
    return refuseAccess(core, call.client, {
      action: "operator.refuse_second_factor",
      ownerId: operatorId,
      message: "The code is incorrect. Check the clock of the app and send the current code.",
    });
  }

  const recoveryCodes = Array.from({ length: recoveryCodeCount }, () =>
    newRecoveryCode(core.random),
  );
  return core.db.write(async (tx) => {
    const confirmed = await tx
      .updateTable("operators")
      .set({ totp_secret: pending, totp_pending: null, totp_last_step: step })
      .where("id", "=", operatorId)
      .where("totp_secret", "is", null)
      .where("totp_pending", "=", pending)
      .executeTakeFirst();
    if (confirmed.numUpdatedRows === 0n) return refuse("conflict", { message: beginFirst });
    await replaceRecoveryCodes(tx, operatorId, recoveryCodes);
    await endOtherOperatorSessions(tx, operatorId, sessionId);
    await giveBackAttempts(tx, core.rules, [guess]);
    await audit({ tx, core, call }, "operator.confirm_totp", operatorId);
    return ok({ recoveryCodes });
  });
}

const beginFirst = "No second factor is being set up. Start with POST /operator/v1/auth/totp.";

async function replaceRecoveryCodes(
  tx: Tx,
  operatorId: string,
  codes: readonly string[],
): Promise<void> {
  await tx.deleteFrom("operator_recovery_codes").where("operator_id", "=", operatorId).execute();
  const rows = codes.map((code) => ({
    operator_id: operatorId,
    code_hash: hashSecret(normalizeRecoveryCode(code)),
  }));
  await tx.insertInto("operator_recovery_codes").values(rows).execute();
}
