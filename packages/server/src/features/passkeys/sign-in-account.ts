import type { IssuedSession } from "#kernel/access/session-secrets.ts";
import { startSession } from "#kernel/access/start-session.ts";
import type { Client, Core } from "#kernel/core.ts";
import type { Result } from "#ports/result.ts";
import { provePasskey, type PasskeySignIn } from "./prove-passkey.ts";

interface SignedIn extends IssuedSession {
  readonly username: string;
}

/** Starts a customer's session, given a passkey. It replaces password and second factor. */
export function signInAccount(
  core: Core,
  client: Client,
  input: PasskeySignIn,
): Promise<Result<SignedIn>> {
  return provePasskey(core, client, input, {
    side: "account",
    lock: (tx, accountId) =>
      tx
        .selectFrom("accounts")
        .select(["id", "username"])
        .where("id", "=", accountId)
        .where("closed_at", "is", null)
        .forNoKeyUpdate()
        .executeTakeFirst(),
    start: async (tx, { id: accountId, username }, { id: passkeyId }) => {
      const step = { tx, core, call: { accountId, client } };
      const session = await startSession(step, input.presentedSessionToken, { passkeyId });
      return { username, ...session };
    },
  });
}
