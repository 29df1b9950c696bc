import { audit } from "#kernel/audit.ts";
import { countAttempts } from "#kernel/access/password-attempts.ts";
import { newRecoveryCode } from "#kernel/access/readable-code.ts";
import { refuseAccess } from "#kernel/access/refused-access.ts";
import type { Call, Step } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { giveBackAttempts } from "#kernel/rate-limits.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Result } from "#ports/result.ts";
import { guessAtSetup, type FactorOwner } from "./owner.ts";
import { activate, findSecrets, storePending } from "./stored-factor.ts";
import { newTotpSecret, otpauthUri, recoveryHashOf, stepOfCode, totpContext } from "./totp.ts";

export interface BegunTotp {
  readonly secret: string;
  readonly otpauthUri: string;
}

/** Who sets up a second factor, and what to do if there is one already. */
export interface Setup<C extends Call> {
  readonly owner: FactorOwner;
  readonly call: C;
  /** An attacker with an open session must not be able to replace the second factor with one of their own. */
  readonly ifPresent: string;
}

/** Issues a new secret. It takes effect once a code confirms it. */
export async function beginSetup<C extends Call>(
  core: Core,
  { owner, call, ifPresent }: Setup<C>,
): Promise<Result<BegunTotp>> {
  const secret = newTotpSecret(core.random);
  const sealed = await core.sealing.seal(secret, totpContext(owner.id));
  return core.db.write(async (tx) => {
    if (!(await storePending(tx, owner, sealed))) return refuse("conflict", { message: ifPresent });
    await audit({ tx, core, call }, `${owner.kind}.begin_totp`, owner.id);
    return ok({ secret, otpauthUri: otpauthUri(secret, owner.username) });
  });
}

const recoveryCodeCount = 10;

export interface ConfirmedTotp {
  readonly recoveryCodes: readonly string[];
}

/**
 * Activates the second factor once a code proves that the app has the secret. The recovery codes are shown only here.
 * `onActivated` runs in the same transaction.
 */
export async function confirmSetup<C extends Call>(
  core: Core,
  { owner, call, ifPresent }: Setup<C>,
  code: string,
  onActivated: (step: Step<C>) => Promise<void>,
): Promise<Result<ConfirmedTotp>> {
  const { active, pending } = await findSecrets(core.db.read, owner);
  if (active !== null) return refuse("conflict", { message: ifPresent });
  if (pending === null) return refuse("conflict", { message: beginFirst });

  const opened = await core.sealing.open(pending, totpContext(owner.id));
  const guess = guessAtSetup(owner);
  const counted = await countAttempts(core, [guess]);
  if (!counted.ok) return counted;
  const step = stepOfCode(opened, code, core.clock.now());
  if (step === undefined) {
    return refuseAccess(core, call.client, {
      action: `${owner.kind}.refuse_second_factor`,
      ownerId: owner.id,
      message: "The code is incorrect. Check the clock of the app and send the current code.",
    });
  }

  const recoveryCodes = Array.from({ length: recoveryCodeCount }, () =>
    newRecoveryCode(core.random),
  );
  return core.db.write(async (tx) => {
    const codeHashes = recoveryCodes.map(recoveryHashOf);
    const isActive = await activate(tx, owner, { pending, step, codeHashes });
    if (!isActive) return refuse("conflict", { message: beginFirst });
    await giveBackAttempts(tx, core.rules, [guess]);
    await onActivated({ tx, core, call });
    await audit({ tx, core, call }, `${owner.kind}.confirm_totp`, owner.id);
    return ok({ recoveryCodes });
  });
}

const beginFirst = "No second factor is being set up. Start with POST auth/totp.";
