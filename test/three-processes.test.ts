import assert from "node:assert/strict";
import { test } from "node:test";
import type { Db } from "../packages/server/src/ports/db.ts";
import { runIronleased, startIronleased, temporaryFolder, type Daemon } from "./support/daemon.ts";
import type { Answer, RequestOptions, Send } from "./support/https-client.ts";
import { openAt } from "./support/open-at.ts";
import { cookiesOf, customerOf, password } from "./support/service.ts";
import { createTestDatabase } from "./support/test-database.ts";

const ordersPerCustomer = 8;
const customers = 6;
/** In the middle: all of them have been served by then, and most of the work is still to come. */
const killAfter = 80;
const operatorPassword = "a pass phrase of the desk";
const destination = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";

/** What the service has said it has done. */
interface Acknowledged {
  readonly orders: string[];
  readonly withdrawals: string[];
  readonly actions: string[];
  readonly completed: string[];
}

/** Three processes on one PostgreSQL; requests go to each in turn, and past the one that is dead. */
class Cluster {
  readonly #daemons: readonly Daemon[];
  readonly #dead = new Set<Daemon>();
  #turn = 0;
  #acknowledged = 0;
  #killed = Promise.resolve();

  constructor(daemons: readonly Daemon[]) {
    this.#daemons = daemons;
  }

  /** Sends to the next one. Where no answer comes, another gets the very same request. */
  async send(side: "send" | "sendToDesk", ...request: Parameters<Send>): Promise<Answer> {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      this.#turn += 1;
      const daemon = this.#daemons[this.#turn % this.#daemons.length] ?? assert.fail();
      if (this.#dead.has(daemon)) continue;
      const answer = await daemon[side](...request).catch(() => undefined);
      if (answer === undefined) continue;
      if (answer.status < 300) this.#acknowledged += 1;
      if (this.#acknowledged === killAfter && this.#dead.size === 0) this.#killed = this.#kill(1);
      return answer;
    }
    return assert.fail("nobody answers");
  }

  async #kill(index: number): Promise<void> {
    const daemon = this.#daemons[index] ?? assert.fail();
    this.#dead.add(daemon);
    await daemon.stop("SIGKILL");
  }

  async stop(): Promise<void> {
    await this.#killed;
    assert.equal(this.#dead.size, 1, "one of them was killed");
    const living = this.#daemons.filter((daemon) => !this.#dead.has(daemon));
    const codes = await Promise.all(living.map((daemon) => daemon.stop()));
    assert.deepEqual(codes, [0, 0]);
  }
}

test("three processes under mixed load, one killed with -9: verify holds and nothing acknowledged is missing", async () => {
  const database = await createTestDatabase();
  const env = {
    IRONLEASE_DATA: temporaryFolder(),
    IRONLEASE_DATABASE_URL: database.url,
    IRONLEASE_AUTH_LIMITS: "off",
    IRONLEASE_OPERATOR_PASSWORD: operatorPassword,
  };
  const first = await startIronleased("preview", env);
  const others = [startIronleased("preview", env), startIronleased("preview", env)];
  const cluster = new Cluster([first, ...(await Promise.all(others))]);
  const done: Acknowledged = { orders: [], withdrawals: [], actions: [], completed: [] };

  const desk = await signInAtDesk(cluster);
  let ordering = customers;
  const renting = Array.from({ length: customers }, async (_, index) => {
    await rent(cluster, desk, `customer-${index}`, index, done);
    ordering -= 1;
  });
  const working = [0, 1, 2].map(() => workQueue(desk, done, () => ordering > 0));
  await Promise.all([...renting, ...working]);

  const db = await openAt("postgres", database.url);
  try {
    await assertThere(db, done);
  } finally {
    await db.close();
  }
  const verified = await runIronleased(["verify"], env);
  assert.equal(verified.code, 0, verified.stdout);
  await cluster.stop();
});

async function signInAtDesk(cluster: Cluster): Promise<Send> {
  const body = { username: "operator", password: operatorPassword };
  const answer = await cluster.send("sendToDesk", "POST", "/operator/v1/auth/login", { body });
  assert.equal(answer.status, 200, answer.text);
  const own = { cookie: cookiesOf(answer).join("; "), "x-csrf-token": answer.json.csrfToken };
  return (method, path, options: RequestOptions = {}) =>
    cluster.send("sendToDesk", method, path, {
      ...options,
      headers: { ...own, ...options.headers },
    });
}

/** Registers, is paid, then orders, acts on what it has and withdraws, each under a key of its own. */
async function rent(
  cluster: Cluster,
  desk: Send,
  username: string,
  index: number,
  done: Acknowledged,
): Promise<void> {
  const toAny: Send = (...request) => cluster.send("send", ...request);
  const body = { username, password };
  const registered = await toAny("POST", "/api/v1/auth/register", { body });
  const { send } = customerOf(toAny, registered, username);
  const post = (path: string, key: string, content: object) =>
    send("POST", path, { body: content, headers: { "idempotency-key": `${username}-${key}` } });
  const { json } = await post("/api/v1/deposit-addresses", "deposit", { asset: "USDT" });
  const paid = { address: json.address, amount: "5000", transactionId: `paid-${username}` };
  assert.equal((await desk("POST", "/operator/v1/simulated-payments", { body: paid })).status, 201);

  const regionId = ["fra", "ams", "iad", "lax", "sin"][index % 5] ?? "fra";
  const order = { configId: "metal-s", regionId, osId: "debian-13", term: "weekly", quantity: 1 };
  for (let round = 0; round < ordersPerCustomer; round += 1) {
    const ordered = await post("/api/v1/orders", `order-${round}`, order);
    if (ordered.status === 201) done.orders.push(ordered.json.id);
    const withdrawal = { asset: "ETH", destination, usd: 5 + round };
    const withdrawn = await post("/api/v1/withdrawals", `withdrawal-${round}`, withdrawal);
    if (withdrawn.status === 201) done.withdrawals.push(withdrawn.json.id);
    const { json: owned } = await send("GET", "/api/v1/servers");
    const ready = owned.servers.find(({ state }: { state: string }) => state === "ACTIVE");
    if (ready === undefined) continue;
    const path = `/api/v1/servers/${ready.id}/actions`;
    const acted = await post(path, `action-${round}`, { action: "reboot" });
    if (acted.status === 202) done.actions.push(acted.json.id);
  }
}

/** Takes whatever is open and does it, as long as customers go on and until nothing is left. */
async function workQueue(desk: Send, done: Acknowledged, goesOn: () => boolean): Promise<void> {
  for (;;) {
    const isLast = !goesOn();
    const { json } = await desk("GET", "/operator/v1/work?state=OPEN");
    for (const { id, kind } of json.work) {
      const claimed = await desk("POST", `/operator/v1/work/${id}/claim`);
      if (claimed.status !== 200) continue;
      const body = kind === "WITHDRAWAL" ? { transactionId: `paid-out-${id}` } : {};
      const completed = await desk("POST", `/operator/v1/work/${id}/complete`, { body });
      if (completed.status === 200) done.completed.push(id);
    }
    if (isLast) return;
  }
}

async function assertThere(db: Db, done: Acknowledged): Promise<void> {
  assert.ok(done.orders.length >= customers * (ordersPerCustomer - 1), "orders went on");
  assert.ok(done.completed.length >= done.orders.length / 2, "and so did the work");
  const orders = await db.read.selectFrom("orders").select("id").execute();
  const withdrawals = await db.read.selectFrom("withdrawals").select("id").execute();
  const actions = await db.read.selectFrom("actions").select("id").execute();
  const work = db.read.selectFrom("work").select("id").where("state", "=", "DONE");
  const missing = (acknowledged: readonly string[], rows: readonly { id: string }[]) =>
    acknowledged.filter((id) => !rows.some((row) => row.id === id));
  assert.deepEqual(missing(done.orders, orders), []);
  assert.deepEqual(missing(done.withdrawals, withdrawals), []);
  assert.deepEqual(missing(done.actions, actions), []);
  assert.deepEqual(missing(done.completed, await work.execute()), []);
  // One operator's session works the queue three times over, and still nothing is done twice.
  assert.equal(new Set(done.completed).size, done.completed.length);
}
