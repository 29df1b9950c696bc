import type { PlantedBug } from "../planted-bug.ts";

const server = "packages/server/src";

/** Who gets in, what of, how often, and what they may point the service at. */
export const accessBugs: readonly PlantedBug[] = [
  {
    name: "origin-by-prefix",
    thought: "An Origin has no path, so what begins like ours is ours.",
    file: `${server}/http/precedence.ts`,
    find: "!origins.includes(named)",
    replace: "!origins.some((own) => named.startsWith(own))",
    tests: [`${server}/http/hostile-requests.test.ts`],
  },
  {
    name: "csrf-skipped-on-one-route",
    thought: "The renewal switch moves no money, and the toggle had trouble with the token.",
    file: `${server}/http/precedence.ts`,
    find: "if (!exchange.hasSession || !isChange(exchange.route.operation)) return undefined;",
    replace:
      'if (!exchange.hasSession || !isChange(exchange.route.operation)) return undefined;\n  if (exchange.route.id === "setRenewal") return undefined;',
    tests: ["test/access-matrix.test.ts"],
  },
  {
    name: "wrong-precedence",
    thought: "A wrong content type is cheaper to see than a wrong token.",
    file: `${server}/http/precedence.ts`,
    find: "  csrfHeader,\n  permission,\n  contentType,\n",
    replace: "  contentType,\n  csrfHeader,\n  permission,\n",
    tests: [`${server}/http/precedence.test.ts`],
  },
  {
    name: "rate-limit-read-then-write",
    thought: "Look first, then count: two plain statements are easier to read than one clever one.",
    file: `${server}/kernel/rate-limits.ts`,
    find: "  const taken = await tx\n",
    replace:
      '  const seen = await tx\n    .selectFrom("rate_limits")\n    .select(["count", "window_ends_at"])\n    .where("key", "=", key)\n    .executeTakeFirst();\n  const isFull = seen !== undefined && seen.window_ends_at > now && seen.count >= limit.count;\n  const taken = await tx\n',
    also: [
      {
        file: `${server}/kernel/rate-limits.ts`,
        find: "`${isOver} or rate_limits.count < ${limit.count}`",
        replace: "`${isOver} or ${isFull ? 1 : 0} = 0`",
      },
    ],
    tests: [`${server}/kernel/rate-limits.test.ts`],
  },
  {
    name: "unknown-name-costs-no-hash",
    thought: "There is nothing to compare with, so why spend forty milliseconds?",
    file: `${server}/kernel/password-attempts.ts`,
    find: "const verified = await core.passwords.verify(password, owner?.password_hash);",
    replace:
      "const verified =\n    owner === undefined ? ok(false) : await core.passwords.verify(password, owner.password_hash);",
    tests: [`${server}/features/sessions/sign-in.test.ts`],
  },
  {
    name: "cheaper-password-hash",
    thought: "Half the passes, and signing in is twice as fast.",
    file: `${server}/adapters/system/argon2.ts`,
    find: "memory: 19_456, passes: 2,",
    replace: "memory: 19_456, passes: 1,",
    tests: [`${server}/adapters/system/argon2.test.ts`],
  },
  {
    name: "key-stored-as-it-is",
    thought: "It is random anyway, and hashing it on every request takes time.",
    file: `${server}/features/api-keys/create-api-key.ts`,
    find: "token_hash: hashSecret(key),",
    replace: "token_hash: key,",
    also: [
      {
        file: `${server}/features/api-keys/authenticate-api-key.ts`,
        find: "tokenHash: hashSecret(value)",
        replace: "tokenHash: value",
      },
    ],
    tests: ["test/secrets-at-rest.test.ts", `${server}/features/api-keys/api-keys.test.ts`],
  },
  {
    name: "cookie-follows-links",
    thought: "With Strict nobody is signed in who comes by a link; Lax is the default anyway.",
    file: `${server}/http/cookies.ts`,
    find: "HttpOnly; SameSite=Strict",
    replace: "HttpOnly; SameSite=Lax",
    tests: [`${server}/features/accounts/register-account.test.ts`],
  },
  {
    name: "cookie-without-host-prefix",
    thought: "The prefix is only a name, and it breaks plain HTTP.",
    file: `${server}/http/cookies.ts`,
    find: 'session: "__Host-svc-operator-session"',
    replace: 'session: "svc-operator-session"',
    tests: [`${server}/features/operators/sign-in-operator.test.ts`],
  },
  {
    name: "keys-outlive-the-password",
    thought:
      "A key has a life of its own; programs should not stop when somebody changes a password.",
    file: `${server}/kernel/account-sessions.ts`,
    find: '  await tx.deleteFrom("api_keys").where("account_id", "=", accountId).execute();\n',
    replace: "",
    tests: [`${server}/features/accounts/change-password.test.ts`],
  },
  {
    name: "old-password-still-opens",
    thought: "The password was right a moment ago; it need not be looked at twice.",
    file: `${server}/features/sessions/sign-in.ts`,
    find: '      .where("password_hash", "=", account.password_hash)\n',
    replace: "",
    tests: ["test/access-meanwhile.test.ts"],
  },
  {
    name: "anybodys-session-can-be-ended",
    thought: "Identifiers cannot be guessed, so whose it is need not be asked.",
    file: `${server}/features/sessions/revoke-session.ts`,
    find: '      .where("account_id", "=", accountId)\n',
    replace: "",
    tests: [`${server}/features/sessions/sessions.test.ts`],
  },
  {
    name: "everybodys-ssh-keys",
    thought: "Public keys are public.",
    file: `${server}/features/ssh-keys/list-ssh-keys.ts`,
    find: '.where("account_id", "=", accountId)',
    replace: '.where("account_id", "<>", "")',
    tests: ["test/account-isolation.test.ts"],
  },
  {
    name: "forwarded-for-from-the-left",
    thought: "The first address of X-Forwarded-For is the client, everybody says so.",
    file: `${server}/http/client-address.ts`,
    find: "hops.toReversed()",
    replace: "hops",
    tests: [`${server}/http/client-address.test.ts`],
  },
  {
    name: "iso-url-trusts-one-list",
    thought: "2000::/3 is all that is public of IPv6; that one line is enough.",
    file: `${server}/features/actions/iso-url.ts`,
    find: '  if (address.range() !== "unicast") return false;\n  if (!address.match',
    replace: "  if (!address.match",
    tests: [`${server}/features/actions/iso-url.test.ts`],
  },
  {
    name: "code-used-twice",
    thought: "A code is good for thirty seconds; that is what it says on the tin.",
    file: `${server}/features/operators/totp.ts`,
    find: '.where("totp_last_step", "<", proof.step)',
    replace: '.where("totp_last_step", "<=", proof.step)',
    tests: [`${server}/features/operators/second-factor.test.ts`],
  },
  {
    name: "access-checked-before-the-body-only",
    thought: "The session was checked a moment ago; one more query in every write is wasted.",
    file: `${server}/http/admitted-call.ts`,
    find: "if (!exchange.hasSession || !isChange(this.#route.operation)) return core;",
    replace: "if (exchange.hasSession || isChange(this.#route.operation)) return core;",
    tests: ["test/access-ended.test.ts"],
  },
  {
    name: "access-rechecked-without-a-lock",
    thought: "The look-up reads committed rows, so it needs no lock.",
    file: `${server}/features/sessions/recheck-session.ts`,
    find: "  await holdAccount(tx, { accountId });\n",
    replace: "  void [holdAccount, accountId];\n",
    tests: ["test/access-ended.test.ts"],
  },
];
