import { audit } from "#kernel/audit.ts";
import { endSessionOfToken, issueSession } from "#kernel/access/account-sessions.ts";
import { clientLane } from "#kernel/access/client-network.ts";
import type { Step } from "#kernel/call.ts";
import type { Client, Core } from "#kernel/core.ts";
import { capConcurrentAttempts, tryPassword } from "#kernel/access/password-attempts.ts";
import { giveBackAttempts, type Attempt } from "#kernel/rate-limits.ts";
import { refuseAccess } from "#kernel/access/refused-access.ts";
import { noteNetwork } from "#kernel/access/seen-networks.ts";
import { hashSecret } from "#kernel/access/secrets.ts";
import type { IssuedSession } from "#kernel/access/session-secrets.ts";
import { signInAttempts } from "#kernel/access/sign-in-attempts.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";

export interface SignedIn extends IssuedSession {
  readonly username: string;
}

/** Starts a session, given the password. */
export async function signIn(core: Core, client: Client, input: SignIn): Promise<Result<SignedIn>> {
  const attempts = signInAttempts(client, input.username.toLowerCase(), "account");
  return capConcurrentAttempts(core, attempts, () => trySignIn(core, client, input, attempts));
}

interface SignIn {
  readonly username: string;
  readonly password: string;
  /** The session that came with the request. It ends, so that sessions do not accumulate. */
  readonly presentedSessionToken: string | undefined;
}

async function trySignIn(
  core: Core,
  client: Client,
  input: SignIn,
  attempts: readonly Attempt[],
): Promise<Result<SignedIn>> {
  const username = input.username.toLowerCase();
  const lane = clientLane(client, "account");
  const checked = await tryPassword(core, { attempts, lane }, input.password, () =>
    core.db.read
      .selectFrom("accounts")
      .select(["id", "password_hash"])
      .where("username", "=", username)
      .executeTakeFirst(),
  );
  if (!checked.ok) return checked;
  const { owner: account, isRight } = checked.value;
  if (account === undefined || !isRight) {
    return refuseAccess(core, client, { action: "session.refuse", ownerId: account?.id });
  }

  return core.db.write(async (tx) => {
    // The password may have changed while it was being verified.
    const unchanged = await tx
      .selectFrom("accounts")
      .select("id")
      .where("id", "=", account.id)
      .where("password_hash", "=", account.password_hash)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (unchanged === undefined) return refuse("invalid_credentials");
    await giveBackAttempts(tx, core.rules, attempts);
    const step = { tx, core, call: { accountId: account.id, client } };
    if (input.presentedSessionToken !== undefined) {
      await endPresented(step, input.presentedSessionToken);
    }
    await noteNetwork(step);
    await audit(step, "session.start", account.id);
    return ok({ username, ...(await issueSession(step)) });
  });
}

/** Audited under the session's own account, because the browser may have been signed in to another account. */
async function endPresented({ tx, core, call }: Step, token: string): Promise<void> {
  const ended = await endSessionOfToken(tx, hashSecret(token));
  if (ended === undefined) return;
  const step = { tx, core, call: { accountId: ended.accountId, client: call.client } };
  await audit(step, "session.end", ended.id, { cause: "sign_in" });
}
