import { audit } from "../../kernel/audit.ts";
import { issueSession, type IssuedSession } from "../../kernel/account-sessions.ts";
import type { Client, Core } from "../../kernel/core.ts";
import { giveBackAttempts, takeAttempts } from "../../kernel/rate-limits.ts";
import { refuseAccess } from "../../kernel/refused-access.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { signInAttempts } from "../../kernel/sign-in-attempts.ts";
import { ok, refuse, type Result } from "../../ports/result.ts";

export interface SignedIn extends IssuedSession {
  readonly username: string;
}

/**
 * Starts a session for whoever knows the password. The attempt is counted before the password is
 * looked at and given back when it was right, so that concurrent guesses cannot outrun the limit.
 */
export async function signIn(
  core: Core,
  client: Client,
  input: {
    readonly username: string;
    readonly password: string;
    /** A session that came with the request; it ends, so that sessions do not pile up. */
    readonly presentedSessionToken: string | undefined;
  },
): Promise<Result<SignedIn>> {
  const username = input.username.toLowerCase();
  const attempts = signInAttempts(client, username);
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
  if (!verified.ok) return verified;
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
