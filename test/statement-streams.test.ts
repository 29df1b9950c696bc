import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { sql } from "kysely";
import { ok } from "#server/kernel/result.ts";
import type { Db } from "#server/ports/db.ts";
import { startIronleased, temporaryFolder } from "#test/daemon.ts";
import { customerOf, password, startTestService, type TestService } from "#test/service.ts";
import { openAt } from "#test/open-at.ts";
import { until } from "./load/poll.ts";

const path = "/api/v1/statement";

/** A statement of 24 MB in ten pages, more than the system buffers for a connection. */
const entries = 5_000;
const entryBytes = 4_800;
const statementBytes = entries * entryBytes;

/** What the service may send ahead of the client. The system buffers most of it. */
const aheadBytes = statementBytes * 0.75;

/** After how many bytes the slow client pauses. */
const pauseBytes = 1_000_000;

const long = { entries, text: "x".repeat(entryBytes - 400) };

/** Fills a new account's ledger. The hashes are wrong, which only a verifier would notice. */
async function fillLedger(
  db: Db,
  username: string,
  { entries, text }: { readonly entries: number; readonly text: string },
): Promise<void> {
  await db.write(async (tx) => {
    const { id } = await tx
      .selectFrom("accounts")
      .select("id")
      .where("username", "=", username)
      .executeTakeFirstOrThrow();
    await sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${entries})
      insert into journal select 'led_' || ${username} || n, n, 'ADJUSTMENT', ${username} || n, 'house/adjustments',
        'customer/' || ${id} || '/spendable', 1, ${id}, n, 1, n, 0, ${text}, 'adjustment', 'adj', ${"0".repeat(64)}
      from numbers`.execute(tx);
    await sql`update balances set available_cents = ${entries}, entries = ${entries}, chained_entries = ${entries},
      head_hash = ${"0".repeat(64)} where account_id = ${id}`.execute(tx);
    return ok();
  });
}

/** Resolves with the answer when its headers have arrived. */
function startReading(url: string, ca: string, cookie: string): Promise<IncomingMessage> {
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  httpsRequest({ hostname, port, path, ca, headers: { cookie }, agent: false }, resolve)
    .on("error", reject)
    .end();
  return promise;
}

describe("a statement that streams", () => {
  let service: TestService;
  let cookie: string;
  /** The service's sockets that have received a request for a statement. */
  const sockets: Socket[] = [];
  const collect = (message: unknown) => {
    const { request, socket } = message as { request: IncomingMessage; socket: Socket };
    if (request.url === path) sockets.push(socket);
  };
  before(async () => {
    service = await startTestService("sqlite");
    ({ cookie } = await service.register("reader"));
    await fillLedger(service.core.db, "reader", long);
    subscribe("http.server.request.start", collect);
  });
  after(async () => {
    unsubscribe("http.server.request.start", collect);
    await service.close();
  });

  // About 56,000 letters, less than a buffer of Node, in 80,000 bytes, more than it.
  test("arrives whole if its letters take several bytes", { timeout: 30_000 }, async () => {
    const customer = await service.register("cyrillic");
    await fillLedger(service.core.db, "cyrillic", { entries: 80, text: "я".repeat(300) });
    const { json } = await customer.send("GET", path);
    assert.equal(json.entries.length, 80);
  });

  test("runs ahead of a slow client by a bounded number of bytes", async () => {
    const answer = await startReading(service.url, service.ca, cookie);
    const socket = sockets.at(-1);
    let received = 0;
    let pausedAt = -pauseBytes;
    for await (const chunk of answer) {
      received += (chunk as Buffer).length;
      if (received < pausedAt + pauseBytes) continue;
      pausedAt = received;
      // While the service answers these, it could send the whole statement.
      for (let pause = 0; pause < 10; pause += 1) await service.send("GET", "/api/health");
      const ahead = (socket?.bytesWritten ?? 0) - received;
      assert.ok(ahead < aheadBytes, `${ahead} bytes ahead of the client`);
    }
    assert.ok(received > statementBytes * 0.9);
  });

  test("stops when the client disconnects, and logs no failure", async () => {
    const answer = await startReading(service.url, service.ca, cookie);
    const socket = sockets.at(-1);
    answer.destroy();
    await until("the service has given the request up", async () => {
      const { text } = await service.sendToDesk("GET", "/metrics");
      return text.includes('ironlease_http_requests_in_flight{listener="account"} 0');
    });
    assert.equal(socket?.destroyed, true);
    assert.ok(socket.bytesWritten < aheadBytes, `${socket.bytesWritten} bytes for no one`);
    assert.deepEqual(
      service.logged.filter((line) => (JSON.parse(line) as { level: number }).level >= 40),
      [],
    );
  });
});

test("SIGTERM lets a statement finish, also for a client that has just begun to read", async () => {
  const IRONLEASE_DATA = temporaryFolder();
  const daemon = await startIronleased("preview", { IRONLEASE_DATA });
  const registered = await daemon.send("POST", "/api/v1/auth/register", {
    body: { username: "reader", password },
  });
  const db = await openAt("sqlite", join(IRONLEASE_DATA, "ironlease.db"));
  await fillLedger(db, "reader", long);
  await db.close();
  const ca = readFileSync(join(IRONLEASE_DATA, "tls", "ca.pem"), "utf8");
  const { cookie } = customerOf(daemon.send, registered, "reader");
  const answer = await startReading(daemon.url, ca, cookie);
  const ended = daemon.stop();
  const text = await textOf(answer).catch((error: unknown) => assert.fail(String(error)));
  const statement = JSON.parse(text) as { head: { count: number }; entries: unknown[] };
  assert.deepEqual([statement.entries.length, statement.head.count], [entries, entries]);
  assert.equal(await ended, 0);
});
