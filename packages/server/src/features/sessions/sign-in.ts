import { clientLane } from "#kernel/access/client-network.ts";
import type { Client, Core } from "#kernel/core.ts";
import { tellContact } from "#kernel/mails.ts";
import {
  capConcurrentAttempts,
  tryPassword,
  uncountAttempts,
} from "#kernel/access/password-attempts.ts";
import { giveBackAttempts, type Attempt } from "#kernel/rate-limits.ts";
import { refuseAccess } from "#kernel/access/refused-access.ts";
import type { IssuedSession } from "#kernel/access/session-secrets.ts";
import { startSession } from "#kernel/access/start-session.ts";
import { signInAttempts } from "#kernel/access/sign-in-attempts.ts";
import { trySecondFactor, useProof, type ReadProof } from "#kernel/second-factor/prove.ts";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";

export interface SignedIn extends IssuedSession {
  readonly username: string;
}

/** Starts a session, given the password and, once set up, the second factor. */
export async function signIn(core: Core, client: Client, input: SignIn): Promise<Result<SignedIn>> {
  const attempts = signInAttempts(client, input.username.toLowerCase(), "account");
  return capConcurrentAttempts(core, attempts, () => trySignIn(core, client, input, attempts));
}

interface SignIn {
  readonly username: string;
  readonly password: string;
  /** A code of the authenticator app, or a recovery code of the second factor. */
  readonly totp?: string | undefined;
  /** The session that came with the request. It ends, so that sessions do not accumulate. */
  readonly presentedSessionToken: string | undefined;
}

type Found = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

async function trySignIn(
  core: Core,
  client: Client,
  input: SignIn,
  attempts: readonly Attempt[],
): Promise<Result<SignedIn>> {
  const lane = clientLane(client, "account");
  const checked = await tryPassword(core, { attempts, lane }, input.password, () =>
    findAccount(core, input.username.toLowerCase()),
  );
  if (!checked.ok) return checked;
  const { owner: account, isRight } = checked.value;
  if (account === undefined || !isRight) {
    return refuseAccess(core, client, { action: "session.refuse", ownerId: account?.id });
  }
  const { totp_secret: sealed } = account;
  if (sealed === null) return signInProven(core, client, input, { account, attempts });

  const owner = { kind: "account", id: account.id, username: account.username } as const;
  const typed = { owner, sealed, totp: input.totp };
  const started = await trySecondFactor(core, client, typed, (proven) =>
    signInProven(core, client, input, { account, attempts, proven }),
  );
  // The password was right. Wrong codes have a limit of their own.
  if (!started.ok) await uncountAttempts(core, attempts);
  return started;
}

function findAccount(core: Core, username: string) {
  return core.db.read
    .selectFrom("accounts")
    .select(["id", "username", "password_hash", "totp_secret"])
    .where("username", "=", username)
    .where("closed_at", "is", null)
    .executeTakeFirst();
}

interface Proven {
  readonly account: Found;
  readonly attempts: readonly Attempt[];
  readonly proven?: ReadProof;
}

function signInProven(
  core: Core,
  client: Client,
  input: SignIn,
  { account, attempts, proven }: Proven,
): Promise<Result<SignedIn>> {
  const { id: accountId, username } = account;
  return core.db.write(async (tx) => {
    if (!(await lockUnchanged(tx, account))) return refuse("invalid_credentials");
    const step = { tx, core, call: { accountId, client } };
    if (proven !== undefined) {
      if (!(await useProof(step, proven))) return refuse("invalid_credentials");
      if ("recoveryHash" in proven.proof) {
        const notice = { kind: "SECURITY", topic: "second_factor.code_used" } as const;
        await tellContact(step, accountId, notice);
      }
    }
    const counted = proven === undefined ? attempts : [...attempts, proven.guess];
    await giveBackAttempts(tx, core.rules, counted);
    return ok({ username, ...(await startSession(step, input.presentedSessionToken)) });
  });
}

/** Locks the account, unless its password or second factor have changed since they were verified. */
async function lockUnchanged(tx: Tx, account: Found): Promise<boolean> {
  const { id, totp_secret } = account;
  const unchanged = await tx
    .selectFrom("accounts")
    .select("id")
    .where("id", "=", id)
    .where("password_hash", "=", account.password_hash)
    .where("totp_secret", totp_secret === null ? "is" : "=", totp_secret)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return unchanged !== undefined;
}
