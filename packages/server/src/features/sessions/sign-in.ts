import { audit } from "../../kernel/audit.ts";
import { issueSession, type IssuedSession } from "../../kernel/account-sessions.ts";
import type { Client, Core } from "../../kernel/core.ts";
import { giveBackAttempts, takeAttempts, type Attempt } from "../../kernel/rate-limits.ts";
import { refuseAccess } from "../../kernel/refused-access.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { signInAttempts } from "../../kernel/sign-in-attempts.ts";
import { createTurns } from "../../kernel/turns.ts";
import { ok, refuse, type Result } from "../../ports/result.ts";

export interface SignedIn extends IssuedSession {
  readonly username: string;
}

/** Sign-ins that are being looked at in this process, by what they count against. */
const inTurn = createTurns();

/**
 * Starts a session for whoever knows the password. No more are looked at at once than may fail, so
 * that many right ones at the same moment wait for each other instead of being refused.
 */
export async function signIn(core: Core, client: Client, input: SignIn): Promise<Result<SignedIn>> {
  const attempts = signInAttempts(client, input.username.toLowerCase());
  const [byName, byAddress] = attempts.map(({ limit, subject }) => ({
    name: `${limit} ${subject}`,
    atOnce: core.rules.rateLimits?.[limit].count ?? Number.POSITIVE_INFINITY,
  }));
  if (byName === undefined || byAddress === undefined) throw new Error("a sign-in has two limits");
  return inTurn(byName.name, byName.atOnce, () =>
    inTurn(byAddress.name, byAddress.atOnce, () => trySignIn(core, client, input, attempts)),
  );
}

interface SignIn {
  readonly username: string;
  readonly password: string;
  /** A session that came with the request; it ends, so that sessions do not pile up. */
  readonly presentedSessionToken: string | undefined;
}

/**
 * The attempt is counted before the password is looked at and given back when it was right, so that
 * concurrent guesses cannot outrun the limit.
 */
async function trySignIn(
  core: Core,
  client: Client,
  input: SignIn,
  attempts: readonly Attempt[],
): Promise<Result<SignedIn>> {
  const username = input.username.toLowerCase();
  const taken = await core.db.write((tx) =>
    takeAttempts(tx, core.rules, attempts, core.clock.now()),
  );
  if (!taken.ok) return taken;

  const account = await core.db.read
    .selectFrom("accounts")
    .select(["id", "password_hash"])
    .where("username", "=", username)
    .executeTakeFirst();
  const verified = await core.passwords.verify(input.password, account?.password_hash);
  if (!verified.ok) {
    // Too many are waiting to be hashed: nothing was looked at, so nothing counts.
    await core.db.write(async (tx) => {
      await giveBackAttempts(tx, core.rules, attempts);
      return ok();
    });
    return verified;
  }
  if (account === undefined || !verified.value) {
    return refuseAccess(core, client, "session.refuse", account?.id);
  }

  return core.db.write(async (tx) => {
    // The password may have been changed while it was being verified.
    const unchanged = await tx
      .selectFrom("accounts")
      .select("id")
      .where("id", "=", account.id)
      .where("password_hash", "=", account.password_hash)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (unchanged === undefined) return refuse("invalid_credentials");
    await giveBackAttempts(tx, core.rules, attempts);
    if (input.presentedSessionToken !== undefined) {
      await tx
        .deleteFrom("sessions")
        .where("token_hash", "=", hashSecret(input.presentedSessionToken))
        .execute();
    }
    await audit(tx, core, {
      actor: account.id,
      action: "session.start",
      subject: account.id,
      ipAddress: client.ipAddress,
    });
    return ok({ username, ...(await issueSession(tx, core, account.id, client)) });
  });
}
