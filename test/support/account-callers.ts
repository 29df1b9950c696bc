import { isChange, scopes, type Operation } from "@ironlease/contract";
import { ok } from "#server/kernel/result.ts";
import {
  bearer,
  faultySessions,
  isPublic,
  keysOf,
  needsSession,
  newCustomer,
  renamed,
  signedIn,
  type Caller,
  type Credentials,
} from "./access-callers.ts";
import type { TestService } from "./service.ts";

/** The credentials that callers of the account API use. */
export interface AccountWorld {
  /** Starts a new session. */
  readonly ada: () => Promise<Credentials>;
  readonly frozen: () => Promise<Credentials>;
  readonly other: Credentials;
  readonly keys: Readonly<Record<string, string>>;
  readonly frozenKeys: Readonly<Record<string, string>>;
  readonly operator: Credentials;
}

export async function createAccountWorld(service: TestService): Promise<AccountWorld> {
  const { core } = service;
  const [ada, other, frozen] = [
    await newCustomer(core),
    await newCustomer(core),
    await newCustomer(core),
  ];
  const frozenKeys = await keysOf(service, await frozen.signIn());
  await core.db.write(async (tx) => {
    const now = { frozen_at: core.clock.now(), frozen_reason: "Test." };
    await tx.updateTable("accounts").set(now).where("id", "=", frozen.accountId).execute();
    return ok();
  });
  return {
    ada: ada.signIn,
    frozen: frozen.signIn,
    other: await other.signIn(),
    keys: await keysOf(service, await ada.signIn()),
    frozenKeys,
    operator: await service.operator("admin"),
  };
}

const byScope = (scope: string) => (operation: Operation) => {
  if (isChange(operation)) return "api_key_forbidden";
  if (operation.access.kind !== "session") return undefined;
  return operation.access.scopes.some((known) => known === scope)
    ? undefined
    : "insufficient_scope";
};

const deadKey = (operation: Operation) =>
  isChange(operation) ? "api_key_forbidden" : needsSession(operation);

const whenFrozen = (operation: Operation) =>
  isPublic(operation) || !isChange(operation) || operation.frozen === "allowed"
    ? undefined
    : "account_frozen";

export const accountCallers: readonly Caller<AccountWorld>[] = [
  {
    name: "a session",
    options: async ({ ada }) => signedIn(await ada()),
    expected: () => undefined,
  },
  ...faultySessions<AccountWorld>(
    ({ ada }) => ada(),
    ({ other }) => other,
  ),
  {
    name: "a session of a frozen account",
    options: async ({ frozen }) => signedIn(await frozen()),
    expected: whenFrozen,
  },
  {
    name: "a session of a frozen account without the CSRF header",
    options: async ({ frozen }) => ({ headers: { cookie: (await frozen()).cookie } }),
    expected: (operation) =>
      isPublic(operation) || !isChange(operation) ? undefined : "csrf_failed",
  },
  ...scopes.flatMap((scope): Caller<AccountWorld>[] => [
    {
      name: `a key with scope ${scope}`,
      options: ({ keys }) => bearer(keys[scope]),
      expected: byScope(scope),
    },
    {
      name: `a frozen account's key with scope ${scope}`,
      options: ({ frozenKeys }) => bearer(frozenKeys[scope]),
      expected: byScope(scope),
    },
  ]),
  {
    name: "a key together with a session",
    options: async ({ ada, keys }) =>
      signedIn(await ada(), { authorization: `bearer ${keys["read"]}` }),
    expected: byScope("read"),
  },
  { name: "a revoked key", options: ({ keys }) => bearer(keys["revoked"]), expected: deadKey },
  { name: "an unknown key", options: () => bearer("svk_unknown"), expected: deadKey },
  {
    name: "an operator",
    options: ({ operator }) => signedIn(operator),
    expected: needsSession,
  },
  {
    name: "an operator's cookies under the customers' names",
    options: ({ operator }) => signedIn(renamed(operator, "account")),
    expected: needsSession,
  },
  {
    name: "a session together with an operator's",
    options: async ({ ada, operator }) => {
      const session = await ada();
      return signedIn({ ...session, cookie: `${operator.cookie}; ${session.cookie}` });
    },
    expected: () => undefined,
  },
];
