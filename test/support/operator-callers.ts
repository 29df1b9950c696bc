import { roles, type Operation, type Role } from "@ironlease/contract";
import { issueOperatorSession } from "#server/kernel/access/operator-sessions.ts";
import type { Core } from "#server/kernel/core.ts";
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
import { testClient } from "./core.ts";
import { addTestOperator } from "./operators.ts";
import type { TestService } from "./service.ts";
import { valueOf } from "./use-cases.ts";

type SignIn = () => Promise<Credentials>;

/** The credentials that callers of the operator API use under `serve`, which requires second factors. */
export interface OperatorWorld {
  /** Start a new session of an operator who has the second factor that the role needs. */
  readonly as: Readonly<Record<Role, SignIn>>;
  /** Start a new session of an operator without a second factor. */
  readonly unproven: Readonly<Record<Role, SignIn>>;
  readonly disabled: SignIn;
  readonly other: Credentials;
  readonly customer: Credentials;
  readonly keys: Readonly<Record<string, string>>;
}

export async function createOperatorWorld(service: TestService): Promise<OperatorWorld> {
  const { core } = service;
  const proven = { totpSecret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" };
  const everyRole = async (has: { readonly totpSecret?: string }) => ({
    support: await newOperator(core, "support", {}),
    finance: await newOperator(core, "finance", has),
    admin: await newOperator(core, "admin", has),
  });
  const disabled = await newOperator(core, "admin", proven);
  await core.db.write(async (tx) => {
    const now = { disabled_at: core.clock.now() };
    await tx.updateTable("operators").set(now).where("id", "=", disabled.operatorId).execute();
    return ok();
  });
  const customer = await newCustomer(core);
  const signIns = ({ support, finance, admin }: Awaited<ReturnType<typeof everyRole>>) => ({
    support: support.signIn,
    finance: finance.signIn,
    admin: admin.signIn,
  });
  return {
    as: signIns(await everyRole(proven)),
    unproven: signIns(await everyRole({})),
    disabled: disabled.signIn,
    other: await (await newOperator(core, "admin", proven)).signIn(),
    customer: await customer.signIn(),
    keys: await keysOf(service, await customer.signIn()),
  };
}

async function newOperator(core: Core, role: Role, has: { readonly totpSecret?: string }) {
  const operator = await addTestOperator(core, role, has);
  const call = { operator, client: testClient };
  const signIn: SignIn = async () => {
    const { sessionToken, csrfToken } = await valueOf(
      core.db.write(async (tx) => ok(await issueOperatorSession({ tx, core, call }))),
    );
    const cookie = `__Host-svc-operator-session=${sessionToken}; __Host-svc-operator-csrf=${csrfToken}`;
    return { cookie, csrfToken };
  };
  return { operatorId: operator.operatorId, signIn };
}

/** Each role includes the rights of the roles before it. */
const byRole = (role: Role) => (operation: Operation) => {
  if (operation.access.kind !== "operator") return undefined;
  return roles.indexOf(role) >= roles.indexOf(operation.access.role) ? undefined : "role_forbidden";
};

const unprovenBy = (role: Role) => (operation: Operation) => {
  const needsSecondFactor =
    role !== "support" && !isPublic(operation) && operation.secondFactor !== "not_needed";
  return needsSecondFactor ? "second_factor_required" : byRole(role)(operation);
};

export const operatorCallers: readonly Caller<OperatorWorld>[] = [
  ...roles.flatMap((role): Caller<OperatorWorld>[] => [
    {
      name: `the role ${role}`,
      options: async (world) => signedIn(await world.as[role]()),
      expected: byRole(role),
    },
    {
      name: `the role ${role} without a second factor`,
      options: async (world) => signedIn(await world.unproven[role]()),
      expected: unprovenBy(role),
    },
    {
      name: `the role ${role} together with a customer's key`,
      options: async (world) =>
        signedIn(await world.as[role](), { authorization: `Bearer ${world.keys["read"]}` }),
      expected: byRole(role),
    },
    {
      name: `the role ${role} together with a customer's session`,
      options: async (world) => {
        const session = await world.as[role]();
        return signedIn({ ...session, cookie: `${world.customer.cookie}; ${session.cookie}` });
      },
      expected: byRole(role),
    },
  ]),
  // Sessions of the highest role, so that no refusal is due to the role.
  ...faultySessions<OperatorWorld>(
    ({ as }) => as.admin(),
    ({ other }) => other,
  ),
  {
    name: "a disabled operator",
    options: async ({ disabled }) => signedIn(await disabled()),
    expected: needsSession,
  },
  {
    name: "a customer",
    options: ({ customer }) => signedIn(customer),
    expected: needsSession,
  },
  {
    name: "a customer's cookies under the operators' names",
    options: ({ customer }) => signedIn(renamed(customer, "operator")),
    expected: needsSession,
  },
  ...["read", "servers", "billing", "revoked"].map((key): Caller<OperatorWorld> => ({
    name: `a customer's key (${key})`,
    options: ({ keys }) => bearer(keys[key]),
    expected: needsSession,
  })),
];
