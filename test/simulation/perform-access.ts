import { beginTotp } from "#server/features/accounts/begin-totp.ts";
import { changePassword } from "#server/features/accounts/change-password.ts";
import { closeAccount } from "#server/features/accounts/close-account.ts";
import { confirmTotp } from "#server/features/accounts/confirm-totp.ts";
import { recoverAccount } from "#server/features/accounts/recover-account.ts";
import { removeTotp } from "#server/features/accounts/remove-totp.ts";
import { beginPasskey } from "#server/features/passkeys/begin-passkey.ts";
import { beginPasskeySignIn } from "#server/features/passkeys/begin-sign-in.ts";
import { finishPasskey } from "#server/features/passkeys/finish-passkey.ts";
import { removePasskey } from "#server/features/passkeys/remove-passkey.ts";
import { signInAccount } from "#server/features/passkeys/sign-in-account.ts";
import { recheckSession } from "#server/features/sessions/recheck-session.ts";
import { signIn } from "#server/features/sessions/sign-in.ts";
import { coreFor } from "#server/http/admission/guarded-writes.ts";
import { erasures } from "#server/http/handlers/account-erasures.ts";
import type { Core } from "#server/kernel/core.ts";
import { refuse } from "#server/kernel/result.ts";
import type { Tx } from "#server/ports/db.ts";
import type { Result } from "#server/ports/result.ts";
import { testClient } from "#test/bare-core.ts";
import { totpCode } from "#test/totp.ts";
import type { FixtureCustomer } from "./fixture.ts";
import {
  passwordText,
  type ModelSession,
  type Sent,
  type StoredAccess,
} from "./model/access-state.ts";
import { origin } from "./model/model-access.ts";
import type { AccessRequest, OperationOf } from "./model/operations.ts";

const relyingParty = { id: new URL(origin).hostname, origins: [origin] };
const wrong = "something else entirely";

/** The core for the requests of a session: every write checks it again, as behind HTTP. */
export function signedIn(core: Core, accountId: string, { id: sessionId }: ModelSession): Core {
  const recheck = async (tx: Tx) => {
    const session = await recheckSession(core, tx, { accountId, sessionId });
    return session === undefined ? ({ code: "authentication_required" } as const) : undefined;
  };
  return coreFor({ id: accountId, recheck }, core);
}

export async function performAccess(
  anyone: Core,
  { accountId, username }: FixtureCustomer,
  operation: AccessRequest,
  sent: Sent,
): Promise<Result<unknown>> {
  const password =
    "isRight" in operation && operation.isRight ? passwordText(sent.password) : wrong;
  const newPassword = passwordText(sent.password + 1);
  const core = signedIn(anyone, accountId, sent.session);
  const call = { accountId, client: testClient };
  const { id: sessionId, signedInAt } = sent.session;
  const session = { sessionId, signedInAt, username };
  const now = core.clock.now();
  switch (operation.kind) {
    case "signIn": {
      const totp = proofOf(operation, sent, now);
      const input = { username, password, totp, presentedSessionToken: undefined };
      return signIn(anyone, testClient, input);
    }
    case "recover": {
      const recoveryCode = operation.isRight ? sent.recoveryCode : wrong;
      return recoverAccount(anyone, testClient, { username, recoveryCode, newPassword });
    }
    case "passkeySignIn":
      return signInWithPasskey(anyone, operation, sent);
    case "changePassword":
      return changePassword(core, call, { username, currentPassword: password, newPassword });
    case "close":
      return closeAccount(core, call, { username, password, erasures });
    case "beginFactor":
      return beginTotp(core, call, session);
    case "confirmFactor": {
      const code = operation.isRight ? totpCode(sent.pendingSecret ?? "", now) : "wrong";
      return confirmTotp(core, call, session, code);
    }
    case "removeFactor":
      return removeTotp(core, call, session);
    case "addPasskey": {
      const begun = await beginPasskey(core, { ...session, call }, relyingParty);
      const { authenticator } = sent;
      if (!begun.ok || authenticator === undefined) return begun;
      authenticator.counter = operation.isCounting ? 1 : 0;
      const credential = authenticator.create(begun.value);
      const passkey = { name: "model", credential, relyingParty };
      return finishPasskey(core, { ...session, call }, passkey);
    }
    case "removePasskey":
      return removePasskey(core, { ...session, call }, sent.passkey?.id ?? "pas_none");
  }
}

function proofOf(
  { proof }: OperationOf<"signIn">,
  { secret, code }: Sent,
  now: number,
): string | undefined {
  switch (proof) {
    case "none":
      return undefined;
    case "app":
      return secret === undefined ? undefined : totpCode(secret, now);
    case "recovery":
      return code;
    case "wrong":
      return wrong;
  }
}

async function signInWithPasskey(
  core: Core,
  { how }: OperationOf<"passkeySignIn">,
  { passkey }: Sent,
): Promise<Result<unknown>> {
  const begun = await beginPasskeySignIn(core, testClient, "account", relyingParty);
  if (!begun.ok) return begun;
  if (passkey === undefined) return refuse("invalid_credentials");
  const { authenticator, counter } = passkey;
  if (how === "good" && authenticator.counter > 0) authenticator.counter += 1;
  const fault = how === "copied" ? { counter } : {};
  const replayed = how === "replayed" ? passkey.answer : undefined;
  const credential =
    replayed ??
    authenticator.get(begun.value, how === "replayed" ? { challenge: "another" } : fault);
  const input = { credential, relyingParty, presentedSessionToken: undefined };
  const result = await signInAccount(core, testClient, input);
  if (result.ok) passkey.answer = credential;
  return result;
}

/** What is stored about the access to an account, as the transaction sees it. */
export async function readAccess(tx: Tx, accountId: string): Promise<StoredAccess> {
  const stored = await tx
    .selectFrom("accounts")
    .select([
      "closed_at as closedAt",
      "password_hash as passwordHash",
      "totp_pending as pending",
      "totp_secret as active",
      "totp_last_step as lastStep",
    ])
    .where("id", "=", accountId)
    .executeTakeFirstOrThrow();
  const codes = await tx
    .selectFrom("second_factor_codes")
    .select("code_hash")
    .where("account_id", "=", accountId)
    .execute();
  const passkeys = await tx
    .selectFrom("passkeys")
    .select(["id", "counter"])
    .where("account_id", "=", accountId)
    .orderBy("id")
    .execute();
  const sessions = await tx
    .selectFrom("sessions")
    .select("id")
    .where("account_id", "=", accountId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const { closedAt, lastStep, ...access } = stored;
  return {
    isClosed: closedAt !== null,
    ...access,
    lastStep: lastStep ?? 0,
    codes: codes.length,
    passkeys: passkeys.map(({ id, counter }) => ({ id, counter })),
    sessions: sessions.map(({ id }) => id),
  };
}
