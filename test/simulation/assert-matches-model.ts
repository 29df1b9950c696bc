import assert from "node:assert/strict";
import { sql } from "kysely";
import { findKey } from "#server/features/idempotency-keys/find-key.ts";
import type { Db } from "#server/ports/db.ts";
import { fixtureKeyPrefix, type Fixture } from "./fixture.ts";
import { keys } from "./model/operations.ts";
import {
  isUnfinished,
  type Model,
  type ModelAccount,
  type ModelPayout,
  type ModelServer,
} from "./model/state.ts";
import { expectedAccess } from "./model/access-state.ts";
import { wireKey } from "./outcomes.ts";
import { readAccess } from "./perform-access.ts";

/** Compares the whole model with the database: accounts, servers, work items, machines and keys. */
export async function assertMatchesModel(db: Db, fixture: Fixture, model: Model): Promise<void> {
  for (const [index, { accountId }] of fixture.customers.entries()) {
    const expected = model.accounts[index] ?? assert.fail();
    assert.deepEqual(await storedState(db, accountId), expectedState(expected), `account ${index}`);
    const access = await readAccess(db.read, accountId);
    assert.deepEqual(access, expectedAccess(expected.access), `access to account ${index}`);
  }
  await assertKeysFound(db, fixture, model);
  const stock = await db.read.selectFrom("stock").select("free").executeTakeFirstOrThrow();
  assert.equal(stock.free, model.machines.FREE, "free machines");
  assert.deepEqual(await idleMachines(db), model.machines, "machines without a server");
  assert.deepEqual(await usedKeys(db, fixture), [...model.keys.keys()].toSorted(), "keys");
  assert.deepEqual(await storedPayouts(db), model.payouts.map(expectedPayout), "payouts");
  assert.deepEqual(
    await newUsernames(db, fixture),
    [...model.usernames].toSorted(),
    "new accounts",
  );
}

/** The states of payouts, and how many withdrawals belong to each. */
async function storedPayouts(db: Db) {
  const rows = sql<{ state: string; owned: number }>`
    select state, (select count(*) from withdrawals w where w.payout_id = p.id) as owned
    from payouts p order by id`;
  return (await rows.execute(db.read)).rows.map(({ state, owned }) => ({ state, owned }));
}

function expectedPayout({ state, withdrawals }: ModelPayout) {
  return { state, owned: state === "CANCELLED" ? 0 : withdrawals.length };
}

async function idleMachines(db: Db) {
  const counts = { FREE: 0, DIRTY: 0, RETIRED: 0 };
  const rows = await db.read.selectFrom("machines").select("state").execute();
  for (const { state } of rows) if (state in counts) counts[state as keyof typeof counts] += 1;
  return counts;
}

const kinds: Readonly<Record<string, string>> = {
  placeOrder: "order",
  requestWithdrawal: "withdraw",
  createDepositAddress: "address",
  requestAction: "act",
  setDdosMode: "ddos",
  acceptQuote: "accept",
  cancelServer: "cancel",
  adjustBalance: "adjust",
  preparePayout: "prepare",
};

/** Used keys, in the format of the model. */
async function usedKeys(db: Db, { customers, operators }: Fixture): Promise<readonly string[]> {
  const rows = await db.read
    .selectFrom("idempotency_keys")
    .select(["owner_id", "operation", "key"])
    .where("key", "not like", `${fixtureKeyPrefix}%`)
    .execute();
  const owners = new Map([
    ...customers.map(({ accountId }, index) => [accountId, `account ${index}`] as const),
    ...operators.map(({ operator }, index) => [operator.operatorId, `operator ${index}`] as const),
  ]);
  const key = (wire: string) => wire.replace(wireKey(0).slice(0, -1), "");
  return rows
    .map((row) => `${owners.get(row.owner_id)} ${kinds[row.operation]} ${key(row.key)}`)
    .toSorted();
}

/** Every key of a customer is found with what it was used for. */
async function assertKeysFound(db: Db, { customers }: Fixture, model: Model): Promise<void> {
  for (const [index, { accountId }] of customers.entries()) {
    for (let key = 0; key < keys; key += 1) {
      const found = await findKey({ db }, accountId, wireKey(key));
      const names = found.map(({ operation }) => `account ${index} ${kinds[operation]} ${key}`);
      const isOfKey = (name: string) =>
        name.startsWith(`account ${index} `) && name.endsWith(` ${key}`);
      const expected = [...model.keys.keys()].filter(isOfKey);
      assert.deepEqual(names.toSorted(), expected.toSorted(), `key ${key} of account ${index}`);
    }
  }
}

async function newUsernames(db: Db, { customers }: Fixture): Promise<readonly string[]> {
  const rows = await db.read.selectFrom("accounts").select("username").execute();
  const fixture = customers.map(({ username }) => username);
  return rows
    .map(({ username }) => username)
    .filter((username) => !fixture.includes(username) && !username.startsWith("closed/"))
    .toSorted();
}

function expectedState(expected: ModelAccount) {
  return {
    balance: [{ available: expected.available, held: expected.held, orders: expected.orders }],
    outcomes: [{ outcomes: expected.outcomes, notices: expected.notices }],
    events: [...expected.events]
      .map(([event, count]) => ({ event, count }))
      .toSorted((a, b) => (a.event < b.event ? -1 : 1)),
    withdrawals: expected.withdrawals.map(({ cents, status }) => ({ cents, status })),
    lock: expected.lock === undefined ? [] : [{ unlocksAt: expected.lock.unlocksAt }],
    addresses: [...expected.addresses.values()].map(({ id, createdAt }) => ({ id, createdAt })),
    actions: expected.actions.map(({ state }) => ({ state: ignoreClaim(state) })),
    power: expected.servers.flatMap(({ power }) =>
      power.map(({ action, work }) => ({ action, state: ignoreClaim(work.state) })),
    ),
    servers: expected.servers.map((server) => ({
      state: server.state,
      paidThrough: server.paidThrough,
      autoRenew: Number(server.autoRenew),
      mode: server.mode,
      requestedMode: server.requestedMode,
      price: server.priceCents,
      ddosCents: server.ddosCents,
      offer: server.offer?.cents ?? null,
      isAccepted: Number(server.offer?.isAccepted === true),
      isWaiting: Number(server.offer?.isAccepted === false),
      provision: ignoreClaim(server.provision.state),
      ...addressesOf(server),
      ddos: server.ddos === undefined ? null : ignoreClaim(server.ddos.state),
      reclaim: server.reclaim === undefined ? null : ignoreClaim(server.reclaim.state),
    })),
  };
}

/** The first place is 0 in the model and in an IPv6 subnet, and 2 in an IPv4 subnet. */
function addressesOf({ place, provision }: ModelServer) {
  const isReserved = place !== null && isUnfinished(provision);
  return {
    reserved4: isReserved ? place + 2 : null,
    reserved6: isReserved ? place : null,
    assigned4: place !== null && !isReserved ? `10.0.0.${place + 2}` : null,
  };
}

/** Treats claimed items as open: the comparison ignores which operator holds a claim. */
function ignoreClaim(state: string): string {
  return state === "CLAIMED" ? "OPEN" : state;
}

async function storedState(db: Db, accountId: string) {
  const rows = async <Row>(query: ReturnType<typeof sql<Row>>) =>
    (await query.execute(db.read)).rows.map((row) => ({ ...row }));
  const state = sql`case w.state when 'CLAIMED' then 'OPEN' else w.state end`;
  const latest = (kind: string) =>
    sql`(select ${state} from work w where w.server_id = s.id and w.kind = ${kind}
         order by w.id desc limit 1)`;
  const reserved = (family: number) =>
    sql`(select r.place from address_reservations r join work w on w.id = r.work_id
         where w.server_id = s.id and r.family = ${family})`;
  return {
    balance: await rows(sql`
      select available_cents as available, held_cents as held,
        (select count(*) from orders where account_id = ${accountId}) as orders
      from balances where account_id = ${accountId}`),
    outcomes: await rows(sql`
      select coalesce(sum(case sender when 'OPERATOR' then 1 else 0 end), 0) as outcomes,
        coalesce(sum(case sender when 'SERVICE' then 1 else 0 end), 0) as notices
      from messages where account_id = ${accountId}`),
    events: await rows(sql`
      select event, count(*) as count from deliveries
      where account_id = ${accountId} group by event order by event`),
    lock: await rows(sql`
      select unlocks_at as "unlocksAt" from withdrawal_locks where account_id = ${accountId}`),
    addresses: await rows(sql`
      select id, created_at as "createdAt" from withdrawal_addresses
      where account_id = ${accountId} order by id`),
    withdrawals: await rows(sql`
      select cents, status from withdrawals where account_id = ${accountId} order by id`),
    actions: await rows(sql`
      select ${state} as state from work w
      where w.account_id = ${accountId} and w.kind = 'SERVER_ACTION' order by w.id`),
    power: (
      await rows<{ detail: string; state: string }>(sql`
        select w.detail, ${state} as state from work w
        where w.account_id = ${accountId} and w.kind = 'SERVER_ACTION' and w.action_id is null
        order by w.server_id, w.id`)
    ).map(({ detail, state: now }) => ({
      action: (JSON.parse(detail) as { action?: string }).action,
      state: now,
    })),
    servers: await rows(sql`
      select s.state, s.paid_through as "paidThrough", s.auto_renew as "autoRenew",
        s.ddos_mode as mode, s.ddos_requested_mode as "requestedMode", s.price_cents as price,
        s.ddos_cents as "ddosCents", s.ddos_offer_cents as offer,
        case when s.ddos_offer_accepted_at is null then 0 else 1 end as "isAccepted",
        (select count(*) from work w where w.server_id = s.id and w.waiting_since is not null)
          as "isWaiting",
        ${latest("PROVISION")} as provision, ${reserved(4)} as reserved4, ${reserved(6)} as reserved6,
        (select a.address from assignments a
          where a.server_id = s.id and a.released_at is null and a.family = 4) as assigned4, ${latest("DDOS")} as ddos,
        ${latest("RECLAIM")} as reclaim
      from servers s where s.account_id = ${accountId} order by s.id`),
  };
}
