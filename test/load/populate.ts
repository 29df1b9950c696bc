import { issueSession } from "#server/kernel/access/account-sessions.ts";
import type { Core } from "#server/kernel/core.ts";
import { addSubnet } from "#server/kernel/subnets.ts";
import { ok } from "#server/kernel/result.ts";
import { benchOrder, stockUp } from "../../bench/support/rental.ts";
import { register, testClient } from "#test/core.ts";
import { signInOperator } from "#test/operators.ts";
import { adjust } from "#test/rental-service.ts";
import { seedServer } from "#test/rental.ts";
import { password } from "#test/service.ts";
import { valueOf } from "#test/use-cases.ts";
import type { Workload, SignedInCustomer } from "./workload.ts";

export interface Population {
  readonly accounts: number;
  readonly machines: number;
  /** Number of servers whose renewals come due at even intervals during the run. */
  readonly renewals: number;
  readonly overMs: number;
}

const initialBalanceCents = 10_000_000;
const batchSize = 50;
/**
 * Separate accounts for sign-ins: an account keeps at most twenty sessions, and the sessions of the other
 * customers must survive the run.
 */
const signInAccounts = 5;
const lastSeenSpreadMs = 60_000;

/**
 * Creates customers with a balance and a session, an operator, machines, subnets, and servers that come due.
 * It uses the service's own use cases so that the ledger is consistent, but skips password hashing.
 */
export async function populate(
  core: Core,
  { accounts, machines, renewals, overMs }: Population,
): Promise<Pick<Workload, "customers" | "operator" | "signInUsernames">> {
  await stockUp(core, machines);
  await addPools(core);
  const people: SignedInCustomer[] = [];
  while (people.length < signInAccounts + accounts) {
    const count = Math.min(batchSize, signInAccounts + accounts - people.length);
    const seenAgo = (index: number) => (lastSeenSpreadMs * (people.length + index)) / accounts;
    const added = Array.from({ length: count }, (_, index) => addCustomer(core, seenAgo(index)));
    people.push(...(await Promise.all(added)));
  }
  const customers = people.slice(signInAccounts);
  for (let index = 0; index < renewals; index += 1) {
    const owner = customers[index % customers.length];
    if (owner !== undefined) await addDueServer(core, owner, (overMs * index) / renewals);
  }
  const signInUsernames = people.slice(0, signInAccounts).map(({ username }) => username);
  await givePasswords(core, signInUsernames);
  const operator = await signInOperator(core, () => Promise.reject(new Error("unused")), "admin");
  return { customers, operator, signInUsernames };
}

/**
 * The service updates a session's last use at most once a minute. Spreading the last uses over that minute
 * spreads those writes over the run, so the measured maximum includes them.
 */
async function addCustomer(core: Core, seenAgoMs: number): Promise<SignedInCustomer> {
  const { accountId, username } = await register(core);
  await adjust(core, accountId, initialBalanceCents);
  const { sessionToken, csrfToken } = await valueOf(
    core.db.write(async (tx) => {
      const issued = await issueSession({ tx, core, call: { accountId, client: testClient } });
      await tx
        .updateTable("sessions")
        .set({ last_seen_at: core.clock.now() - Math.round(seenAgoMs) })
        .where("account_id", "=", accountId)
        .execute();
      return ok(issued);
    }),
  );
  const cookie = `__Host-svc-session=${sessionToken}; __Host-svc-csrf=${csrfToken}`;
  return { accountId, username, cookie, csrfToken };
}

async function addDueServer(core: Core, owner: SignedInCustomer, inMs: number): Promise<void> {
  const { id } = await seedServer(core, owner.accountId, { term: "weekly", priceCents: 700 });
  const paidThrough = core.clock.now() + Math.round(inMs);
  await valueOf(
    core.db.write(async (tx) => {
      const due = { paid_through: paidThrough, grace_until: paidThrough + core.rules.graceMs };
      await tx.updateTable("servers").set(due).where("id", "=", id).execute();
      return ok();
    }),
  );
}

/** Sign-ins need a real password hash. All accounts share one, because hashing is slow. */
async function givePasswords(core: Core, usernames: readonly string[]): Promise<void> {
  const hash = await valueOf(core.passwords.hash(password));
  await valueOf(
    core.db.write(async (tx) => {
      await tx
        .updateTable("accounts")
        .set({ password_hash: hash })
        .where("username", "in", usernames)
        .execute();
      return ok();
    }),
  );
}

/** Large enough for every delivery of a run. */
async function addPools(core: Core): Promise<void> {
  for (const cidr of ["100.64.0.0/10", "fd02::/32"]) {
    await valueOf(
      core.db.write((tx) => addSubnet({ tx, core }, { regionId: benchOrder.regionId, cidr })),
    );
  }
}
