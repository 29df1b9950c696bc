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
import type { Market, MarketCustomer } from "./market.ts";

export interface Population {
  readonly accounts: number;
  readonly machines: number;
  /** Servers that come due one after the other while the run lasts. */
  readonly renewals: number;
  readonly overMs: number;
}

const wealthCents = 10_000_000;
const together = 50;
/** They only sign in: an account keeps twenty sessions, and those of the others are to stay. */
const signers = 5;
const seenEveryMs = 60_000;

/**
 * Customers with money and a session, an operator, machines, addresses, and servers that are about to be
 * due; through the service's own use cases, so that the books are right, without the price of hashing.
 */
export async function populate(
  core: Core,
  { accounts, machines, renewals, overMs }: Population,
): Promise<Pick<Market, "customers" | "operator" | "signers">> {
  await stockUp(core, machines);
  await addPools(core);
  const people: MarketCustomer[] = [];
  while (people.length < signers + accounts) {
    const count = Math.min(together, signers + accounts - people.length);
    const seenAgo = (index: number) => (seenEveryMs * (people.length + index)) / accounts;
    const added = Array.from({ length: count }, (_, index) => addCustomer(core, seenAgo(index)));
    people.push(...(await Promise.all(added)));
  }
  const customers = people.slice(signers);
  for (let index = 0; index < renewals; index += 1) {
    const owner = customers[index % customers.length];
    if (owner !== undefined) await addDueServer(core, owner, (overMs * index) / renewals);
  }
  const names = people.slice(0, signers).map(({ username }) => username);
  await givePasswords(core, names);
  const operator = await signInOperator(core, () => Promise.reject(new Error("unused")), "admin");
  return { customers, operator, signers: names };
}

/**
 * Somebody whose session was last seen so long ago: that a session is in use is noted once a minute, and
 * what the service takes at most is to be measured with that.
 */
async function addCustomer(core: Core, seenAgoMs: number): Promise<MarketCustomer> {
  const { accountId, username } = await register(core);
  await adjust(core, accountId, wealthCents);
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

async function addDueServer(core: Core, owner: MarketCustomer, inMs: number): Promise<void> {
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

/** One hash for all: a sign-in has to be checked against a real one. */
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

/** For as many deliveries as a run can make. */
async function addPools(core: Core): Promise<void> {
  for (const cidr of ["100.64.0.0/10", "fd02::/32"]) {
    await valueOf(
      core.db.write((tx) => addSubnet({ tx, core }, { regionId: benchOrder.regionId, cidr })),
    );
  }
}
