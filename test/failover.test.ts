import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createSessionClient, type Fetch } from "@ironlease/client";
import { createNodeFetch } from "@ironlease/client/node";
import { sql } from "kysely";
import { keyLocation, readKeys } from "#server/adapters/system/key-file.ts";
import { migrations } from "#server/migrations/index.ts";
import { proxyTo, type InterruptibleProxy } from "./engine-conformance/interruptible-proxy.ts";
import { ironleased } from "#test/ironleased.ts";
import { openAt } from "#test/open-at.ts";
import { startOwnPostgres, type OwnPostgres } from "#test/postgres-server.ts";
import { order, startRental, type Rental, type RentalCustomer } from "#test/rental-service.ts";
import { codeOf } from "#test/https-client.ts";
import { startTestService, type TestService } from "#test/service.ts";

const writers = 4;
const ordersEach = 8;

/** What a client saw of one service. */
interface Observed {
  readonly acknowledged: string[];
  readonly statuses: Map<string, number>;
}

describe("postgres with a synchronous standby that takes over", () => {
  let primary: OwnPostgres;
  let standby: OwnPostgres;
  /** An address that moves to the new primary, as a proxy in front of the servers does. */
  let address: InterruptibleProxy;
  /** Knows both servers. */
  let listed: Rental;
  /** Knows only the address. */
  let addressed: TestService;
  /** Knows only the standby. */
  let waiting: TestService;
  let customer: RentalCustomer;
  const folder = mkdtempSync(join(tmpdir(), "ironlease-failover-"));

  before(async () => {
    primary = await startOwnPostgres();
    const migrated = await openAt("postgres", primary.url);
    await migrated.migrate(migrations, 0);
    await migrated.close();
    standby = await primary.startStandby();
    address = await proxyTo(primary.url);
    // Instances share the key that signs statements, so that they start without writing.
    const statementKey = keyLocation(undefined, folder, "statement.key");
    await readKeys(statementKey);
    const at = (url: string) => ({
      settings: {
        IRONLEASE_STATEMENT_KEY_FILE: statementKey.path,
        IRONLEASE_DATABASE_URL: url,
        IRONLEASE_DATABASE_ANSWER: "2s",
      },
    });
    listed = await startRental("postgres", at(bothServers()));
    addressed = await startTestService("postgres", at(address.url));
    customer = await listed.customer(10_000);
    waiting = await startTestService("postgres", at(standby.url));
  });
  after(async () => {
    await Promise.all([listed.close(), addressed.close(), waiting.close()]);
    await address.cut();
    await primary.stop();
    await standby.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const bothServers = () => {
    const [one, other] = [primary, standby].map(({ url }) => new URL(url).host);
    return `postgres://postgres@${one},${other}/postgres?target_session_attrs=read-write`;
  };
  const readiness = async (service: TestService) => {
    const { status, json } = await service.sendToDesk("GET", "/readyz");
    return [status, status === 200 ? "" : json.error.message];
  };
  const isDatabaseUp = async (service: TestService) => {
    const { text } = await service.sendToDesk("GET", "/metrics");
    return /^ironlease_database_up 1$/m.test(text);
  };
  const doctor = async (url: string) => {
    const { lines } = await ironleased(["doctor"], {
      IRONLEASE_TLS: "off",
      IRONLEASE_DATABASE_URL: url,
      IRONLEASE_DATABASE_ANSWER: "1s",
    });
    return lines.find((line) => line.includes(" replication:"));
  };

  test("a service that reaches only the standby reads, refuses writes and is not ready", async () => {
    const read = await waiting.send("GET", "/api/v1/me", { headers: { cookie: customer.cookie } });
    assert.equal(read.status, 200);
    const write = await place(waiting, "on-the-standby");
    assert.deepEqual([write.status, codeOf(write)], [503, "service_unavailable"]);
    assert.deepEqual(await readiness(waiting), [503, "The database is a read-only standby."]);
    assert.equal(await isDatabaseUp(waiting), false);
    assert.match((await doctor(standby.url)) ?? "", /^BAD .*is a read-only standby/);
    for (const service of [listed, addressed]) {
      assert.deepEqual(await readiness(service), [200, ""]);
      assert.equal(await isDatabaseUp(service), true);
    }
    assert.match(
      (await doctor(bothServers())) ?? "",
      /^ok .*standby walreceiver \(streaming, sync\)/,
    );
  });

  test("doctor warns if commits do not wait for the standby", async () => {
    const url = `${bothServers()}&options=-csynchronous_commit%3Dlocal`;
    assert.match((await doctor(url)) ?? "", /^BAD .*synchronous_commit = local/);
  });

  test("without its standby, reads are answered and no write is acknowledged", async () => {
    await standby.pause();
    for (const service of [listed, addressed]) {
      const { cookie } = customer;
      const read = await service.send("GET", "/api/v1/servers", { headers: { cookie } });
      assert.equal(read.status, 200);
      const key = `unconfirmed-${service === listed}`;
      const write = await place(service, key);
      assert.deepEqual([write.status, codeOf(write)], [503, "service_unavailable"]);
      const replay = await place(service, key);
      assert.deepEqual([replay.status, codeOf(replay)], [503, "service_unavailable"]);
    }
    assert.match(
      (await doctor(primary.url)) ?? "",
      /^BAD .*no such standby is connected: start one/,
    );
    await standby.resume();
    assert.equal((await place(listed, "unconfirmed-true")).status, 201);
  });

  test("when the primary is killed, every order is acknowledged once and none is lost", async () => {
    const before = await listed.core.db.read.selectFrom("orders").select("id").execute();
    const begun = Promise.withResolvers<void>();
    const seen = [listed, addressed].map(() => ({
      acknowledged: [] as string[],
      statuses: new Map<string, number>(),
    }));
    const work = [listed, addressed].map((service, index) =>
      orderAgain(service, seen[index] as Observed, begun.resolve),
    );
    await begun.promise;
    await primary.kill();
    const promoted = await openAt("postgres", standby.url);
    await sql`select pg_promote()`.execute(promoted.read);
    await promoted.close();
    address.moveTo(standby.url);
    await Promise.all(work);

    for (const { statuses } of seen) {
      const unexpected = [...statuses.keys()].filter((seen) => !expected.has(seen));
      assert.deepEqual(unexpected, []);
    }
    const acknowledged = seen.flatMap(({ acknowledged: ids }) => ids);
    assert.equal(acknowledged.length, 2 * writers * ordersEach);
    const orders = await listed.core.db.read.selectFrom("orders").select("id").execute();
    const placed = orders.map(({ id }) => id).filter((id) => !before.some((old) => old.id === id));
    assert.deepEqual(placed.toSorted(), acknowledged.toSorted());
    await listed.assertInvariants();
    for (const service of [listed, addressed, waiting]) {
      assert.deepEqual(await readiness(service), [200, ""]);
      assert.equal((await place(service, `afterwards-${service.url.length}`)).status, 201);
    }
  });

  const place = (service: TestService, key: string) =>
    service.send("POST", "/api/v1/orders", {
      headers: {
        cookie: customer.cookie,
        "x-csrf-token": customer.csrfToken,
        "idempotency-key": key,
      },
      body: order,
    });

  /** Places orders with the client, which resends each until it has an answer. */
  const orderAgain = async (
    service: TestService,
    { acknowledged, statuses }: Observed,
    onFirst: () => void,
  ) => {
    const client = createSessionClient({
      baseUrl: service.url,
      fetch: observing(createNodeFetch({ ca: service.ca }), statuses),
      deadlineMs: 300_000,
    });
    await client.signIn({ username: customer.username, password: customer.password });
    const write = async () => {
      for (let placed = 0; placed < ordersEach; placed += 1) {
        const { id } = await client.placeOrder(order);
        acknowledged.push(id);
        onFirst();
      }
    };
    await Promise.all(Array.from({ length: writers }, write));
  };
});

/** While the database is away, a refusal in our shape is the only answer besides success. */
const expected: ReadonlySet<string> = new Set(["200", "201", "503 service_unavailable"]);

function observing(fetch: Fetch, statuses: Map<string, number>): Fetch {
  return async (url, init) => {
    const answer = await fetch(url, init);
    const bytes = await answer.arrayBuffer();
    let seen = String(answer.status);
    if (answer.status >= 300) {
      const { error } = JSON.parse(Buffer.from(bytes).toString()) as { error: { code: string } };
      seen += ` ${error.code}`;
    }
    statuses.set(seen, (statuses.get(seen) ?? 0) + 1);
    return {
      ...answer,
      status: answer.status,
      headers: answer.headers,
      arrayBuffer: async () => bytes,
    };
  };
}
