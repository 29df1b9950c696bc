import type { Role } from "@ironlease/contract";
import { createApiKey } from "#server/features/api-keys/create-api-key.ts";
import { registerAccount } from "#server/features/accounts/register-account.ts";
import { issueOperatorSession } from "#server/kernel/access/operator-sessions.ts";
import { revokeApiKey } from "#server/features/api-keys/revoke-api-key.ts";
import { issueSession } from "#server/kernel/access/account-sessions.ts";
import { lockOpenAccount } from "#server/kernel/closed-account.ts";
import type { Core } from "#server/kernel/core.ts";
import { ok } from "#server/kernel/result.ts";
import type { Authenticator, CreationOptions } from "#test/authenticator.ts";
import { newCustomer, type Credentials } from "#test/access-callers.ts";
import { testClient } from "#test/core.ts";
import { addTestOperator } from "#test/operators.ts";
import { valueOf } from "#test/use-cases.ts";

/** A customer or operator who sends requests. */
export interface Actor {
  readonly side: "account" | "operator";
  /** The account's or operator's id. */
  readonly id: string;
  readonly username: string;
  readonly role?: Role;
  /** API keys by scope, plus a revoked one. */
  readonly keys: Readonly<Record<string, string>>;
  readonly renew: () => Promise<Credentials>;
  credentials: Credentials;
  /** Whether the session has ended, so that the next request needs a new one. */
  isStale: boolean;
  /** Whether the actor can no longer send valid requests. */
  isUsedUp: boolean;
  password: string;
  recoveryCode: string;
  totpSecret: string;
  /** Whether a code of the secret was confirmed, so that signing in needs one. */
  hasSecondFactor: boolean;
  /** What the service has offered for a new passkey. */
  passkeyOptions?: CreationOptions | undefined;
  /** The one that has answered these options. */
  authenticator?: Authenticator | undefined;
  /** Passkeys that the actor has added. */
  readonly passkeyIds: string[];
  /** Work items that this operator has claimed. */
  readonly claims: Set<string>;
  /** The idempotency key of the latest write that took effect. */
  lastKey?: string | undefined;
}

const initialState = {
  password: "",
  recoveryCode: "",
  totpSecret: "",
  hasSecondFactor: false,
  isStale: false,
  isUsedUp: false,
} as const;

/** One password and hash for all actors, because hashing is slow. */
export interface WorldPassword {
  readonly password: string;
  readonly hash: string;
}

/** Creates a customer with an API key of each scope. */
export async function newAccountActor(
  core: Core,
  { password, hash }: WorldPassword,
): Promise<Actor> {
  const { accountId: id, signIn } = await newCustomer(core);
  await core.db.write(async (tx) => {
    const change = tx.updateTable("accounts").set({ password_hash: hash });
    await change.where("id", "=", id).execute();
    return ok();
  });
  const keys: Record<string, string> = {};
  for (const name of ["read", "servers", "billing", "revoked"] as const) {
    const scope = name === "revoked" ? "read" : name;
    const input = { name, scope, expiresAt: null };
    const created = await valueOf(createApiKey(core, { accountId: id, client: testClient }, input));
    keys[name] = created.key;
    if (name === "revoked")
      await valueOf(revokeApiKey(core, { accountId: id, client: testClient }, created.id));
  }
  const credentials = await signIn();
  const { username } = await core.db.read
    .selectFrom("accounts")
    .select("username")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return {
    side: "account",
    id,
    username,
    keys,
    renew: signIn,
    credentials,
    ...initialState,
    password,
    passkeyIds: [],
    claims: new Set(),
  };
}

/** Creates a customer with a known password and recovery code, for requests that end access. */
export async function newDisposableCustomer(
  core: Core,
  username: string,
  password: string,
): Promise<Actor> {
  const registered = await valueOf(registerAccount(core, testClient, { username, password }));
  return disposableCustomerOf(core, { ...registered, password }, credentialsOf("", registered));
}

export async function disposableCustomerOf(
  core: Core,
  known: { readonly username: string; readonly password: string; readonly recoveryCode: string },
  credentials: Credentials,
): Promise<Actor> {
  const { id } = await core.db.read
    .selectFrom("accounts")
    .select("id")
    .where("username", "=", known.username)
    .executeTakeFirstOrThrow();
  const renew = async () =>
    valueOf(
      core.db.write(async (tx) => {
        // A mutated request may have closed the account unnoticed.
        if (!(await lockOpenAccount(tx, id)).ok) return ok(credentials);
        const call = { accountId: id, client: testClient };
        return ok(credentialsOf("", await issueSession({ tx, core, call })));
      }),
    );
  const { username, password, recoveryCode } = known;
  return {
    side: "account",
    id,
    username,
    keys: {},
    renew,
    credentials,
    ...initialState,
    password,
    recoveryCode,
    passkeyIds: [],
    claims: new Set(),
  };
}

export async function newOperatorActor(
  core: Core,
  role: Role,
  { password, hash }: WorldPassword,
): Promise<Actor> {
  const { operatorId: id, username } = await addTestOperator(core, role);
  await core.db.write(async (tx) => {
    const change = tx.updateTable("operators").set({ password_hash: hash });
    await change.where("id", "=", id).execute();
    return ok();
  });
  const renew = async () =>
    credentialsOf(
      "operator-",
      await valueOf(
        core.db.write(async (tx) => {
          // A mutated request may have changed the operator unnoticed.
          const asBefore = { role, disabled_at: null, allowed_networks: null };
          await tx.updateTable("operators").set(asBefore).where("id", "=", id).execute();
          const call = { operator: { operatorId: id, username, role }, client: testClient };
          return ok(await issueOperatorSession({ tx, core, call }));
        }),
      ),
    );
  return {
    side: "operator",
    id,
    username,
    role,
    keys: {},
    renew,
    credentials: await renew(),
    ...initialState,
    password,
    passkeyIds: [],
    claims: new Set(),
  };
}

function credentialsOf(
  side: "" | "operator-",
  { sessionToken, csrfToken }: { readonly sessionToken: string; readonly csrfToken: string },
): Credentials {
  const cookie = `__Host-svc-${side}session=${sessionToken}; __Host-svc-${side}csrf=${csrfToken}`;
  return { cookie, csrfToken };
}
