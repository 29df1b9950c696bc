import { changeOperator } from "#server/features/operators/change-operator.ts";
import type { Core } from "#server/kernel/core.ts";
import type { Operator } from "#server/kernel/access/operator.ts";
import { systemCall, type OperatorCall } from "#server/kernel/call.ts";
import { beginSession } from "#server/kernel/access/session-secrets.ts";
import { ok } from "#server/kernel/result.ts";
import type { OperatorRole } from "#server/ports/schema.ts";
import type { Send } from "./https-client.ts";

/** An operator with the cookies and token of one session. */
export interface SignedInOperator extends Operator {
  readonly cookie: string;
  readonly csrfToken: string;
  readonly send: Send;
}

/** Disables an operator, as the command does. */
export const disableOperator = (core: Core, username: string) =>
  changeOperator(core, systemCall, { username }, { disabled: true });

export const enableOperator = (core: Core, username: string) =>
  changeOperator(core, systemCall, { username }, { disabled: false });

let operators = 0;

/** An operator's name and optional credentials. */
export interface TestOperatorOptions {
  readonly username?: string;
  readonly password?: string;
  readonly totpSecret?: string;
}

/** Adds an operator. Without a password nothing is hashed. */
export async function addTestOperator(
  core: Core,
  role: OperatorRole,
  { username = `${role}${(operators += 1)}`, password, totpSecret }: TestOperatorOptions = {},
): Promise<Operator> {
  const operator = { operatorId: core.ids.next("operator"), username, role };
  const hashed = password === undefined ? undefined : await core.passwords.hash(password);
  await core.db.write(async (tx) => {
    await tx
      .insertInto("operators")
      .values({
        id: operator.operatorId,
        username: operator.username,
        role,
        password_hash: hashed?.ok === true ? hashed.value : "",
        totp_secret: totpSecret ?? null,
        created_at: core.clock.now(),
        totp_last_step: 0,
      })
      .execute();
    return ok();
  });
  return operator;
}

/** A new operator's call, as use cases take it. */
export async function operatorCall(core: Core, role: OperatorRole): Promise<OperatorCall> {
  const client = { ipAddress: "192.0.2.9", userAgent: "test" };
  return { operator: await addTestOperator(core, role), client };
}

/** A new operator with a session, as if just signed in. */
export async function signInOperator(
  core: Core,
  sendToDesk: Send,
  role: OperatorRole,
  has: TestOperatorOptions = {},
): Promise<SignedInOperator> {
  const operator = await addTestOperator(core, role, has);
  const { issued, row } = beginSession(core, { ipAddress: "192.0.2.9", userAgent: "test" });
  const { sessionToken, csrfToken } = issued;
  await core.db.write(async (tx) => {
    await tx
      .insertInto("operator_sessions")
      .values({ ...row, operator_id: operator.operatorId })
      .execute();
    return ok();
  });
  const cookie = `__Host-svc-operator-session=${sessionToken}; __Host-svc-operator-csrf=${csrfToken}`;
  const send: Send = (method, path, options = {}) => {
    const own = method === "GET" ? { cookie } : { cookie, "x-csrf-token": csrfToken };
    return sendToDesk(method, path, { ...options, headers: { ...own, ...options.headers } });
  };
  return { ...operator, cookie, csrfToken, send };
}
