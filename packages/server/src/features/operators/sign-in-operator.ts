import { audit } from "#kernel/audit.ts";
import { clientLane } from "#kernel/access/client-network.ts";
import type { Client, Core } from "#kernel/core.ts";
import {
  capConcurrentAttempts,
  tryPassword,
  uncountAttempts,
} from "#kernel/access/password-attempts.ts";
import { giveBackAttempts, type Attempt } from "#kernel/rate-limits.ts";
import { refuseAccess } from "#kernel/access/refused-access.ts";
import type { IssuedSession } from "#kernel/access/session-secrets.ts";
import { allowsAddress, networksIn } from "#kernel/access/allowed-networks.ts";
import { operatorHasPasskey } from "#kernel/passkeys/operator-has-passkey.ts";
import { signInAttempts } from "#kernel/access/sign-in-attempts.ts";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { OperatorRole } from "#ports/schema.ts";
import { endPresentedSession, issueOperatorSession } from "#kernel/access/operator-sessions.ts";
import { trySecondFactor, useProof, type ReadProof } from "#kernel/second-factor/prove.ts";
import { needsSecondFactor } from "./authenticate-operator.ts";

export interface SignedInOperator extends IssuedSession {
  readonly username: string;
  readonly role: OperatorRole;
}

export interface OperatorSignIn {
  readonly username: string;
  readonly password: string;
  /** A code of the authenticator app, or a recovery code. */
  readonly totp?: string | undefined;
  /** The session that came with the request. It ends, so that sessions do not accumulate. */
  readonly presentedSessionToken: string | undefined;
}

type Found = NonNullable<Awaited<ReturnType<typeof findOperator>>>;

/** Starts a session, given the password and, once set up, the second factor. */
export async function signInOperator(
  core: Core,
  client: Client,
  input: OperatorSignIn,
): Promise<Result<SignedInOperator>> {
  const attempts = signInAttempts(client, input.username.toLowerCase(), "operator");
  const lane = clientLane(client, "operator");
  return capConcurrentAttempts(core, attempts, async () => {
    const checked = await tryPassword(core, { attempts, lane }, input.password, () =>
      findOperator(core, input.username.toLowerCase()),
    );
    if (!checked.ok) return checked;
    const { owner: operator, isRight } = checked.value;
    // A disabled operator, or one elsewhere than allowed, gets the same refusal as an unknown one.
    if (operator === undefined || !maySignIn(operator, client) || !isRight) {
      return refuseAccess(core, client, {
        action: "operator.refuse_sign_in",
        ownerId: operator?.id,
      });
    }
    if (operator.totp_secret === null && operator.hasPasskey === 1) {
      // Otherwise the password alone would be enough to add another second factor. No field, because no code helps.
      if (needsSecondFactor(core, operator.role)) {
        await uncountAttempts(core, attempts);
        return refuse("second_factor_required", { message: useThePasskey });
      }
    }
    return operator.totp_secret === null
      ? startSession(core, client, input, { operator, attempts })
      : tryCode(core, client, input, { operator, attempts, sealed: operator.totp_secret });
  });
}

function findOperator(core: Core, username: string) {
  return core.db.read
    .selectFrom("operators as o")
    .select(["o.id", "o.username", "o.role", "o.password_hash", "o.totp_secret"])
    .select(["o.disabled_at", "o.allowed_networks"])
    .select(operatorHasPasskey.as("hasPasskey"))
    .where("o.username", "=", username)
    .executeTakeFirst();
}

function maySignIn(operator: Found, { ipAddress }: Client): boolean {
  const networks = networksIn(operator.allowed_networks);
  return operator.disabled_at === null && allowsAddress(networks, ipAddress);
}

async function tryCode(
  core: Core,
  client: Client,
  input: OperatorSignIn,
  found: { readonly operator: Found; readonly attempts: readonly Attempt[]; sealed: string },
): Promise<Result<SignedInOperator>> {
  const { operator, attempts, sealed } = found;
  const owner = { kind: "operator", id: operator.id, username: operator.username } as const;
  const typed = { owner, sealed, totp: input.totp };
  const started = await trySecondFactor(core, client, typed, (proven) =>
    startSession(core, client, input, { operator, attempts, proven }),
  );
  // A wrong code is a failed sign-in of its address, too. A code that is missing or not checked is not.
  if (!started.ok && started.refusal.code !== "invalid_credentials") {
    await uncountAttempts(core, attempts);
  }
  return started;
}

const useThePasskey = "Sign in with your passkey.";

interface Proven {
  readonly operator: Found;
  readonly attempts: readonly Attempt[];
  readonly proven?: ReadProof;
}

function startSession(
  core: Core,
  client: Client,
  input: OperatorSignIn,
  { operator, attempts, proven }: Proven,
): Promise<Result<SignedInOperator>> {
  const { id, username, role } = operator;
  return core.db.write(async (tx) => {
    const isUnchanged = await lockUnchanged(tx, operator);
    if (!isUnchanged) return refuse("invalid_credentials");
    const call = { operator: { operatorId: id, username, role }, client };
    const step = { tx, core, call };
    if (proven !== undefined && !(await useProof(step, proven))) {
      return refuse("invalid_credentials");
    }
    const counted = proven === undefined ? attempts : [...attempts, proven.guess];
    await giveBackAttempts(tx, core.rules, counted);
    if (input.presentedSessionToken !== undefined) {
      await endPresentedSession(step, input.presentedSessionToken);
    }
    await audit(step, "operator.sign_in", id);
    return ok({ username, role, ...(await issueOperatorSession(step)) });
  });
}

/** Locks the operator, unless password, second factor, networks or status have changed since they were verified. */
async function lockUnchanged(tx: Tx, operator: Found): Promise<boolean> {
  const { id, password_hash, totp_secret, allowed_networks } = operator;
  const unchanged = await tx
    .selectFrom("operators")
    .select("id")
    .where("id", "=", id)
    .where("password_hash", "=", password_hash)
    .where("totp_secret", totp_secret === null ? "is" : "=", totp_secret)
    .where("allowed_networks", allowed_networks === null ? "is" : "=", allowed_networks)
    .where("disabled_at", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return unchanged !== undefined;
}
