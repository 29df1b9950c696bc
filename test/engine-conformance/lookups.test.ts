import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import type { Db } from "#server/ports/db.ts";
import { preparedLookup } from "#server/kernel/sql/prepared.ts";
import { ok, refuse } from "#server/kernel/result.ts";
import { forEachEngine, openEngine, type OpenedEngine } from "#test/engines.ts";
import { addCounter } from "./rows.ts";

const find = preparedLookup(["key"], (db, { key }: { key: string }) =>
  db.selectFrom("rate_limits").select("count").where("key", "=", key),
);

const findOnly = preparedLookup([], (db) =>
  db.selectFrom("rate_limits").select("count").where("key", "=", "only"),
);

/** Lookups may be cached or batched, but must be as fresh as a query. */
forEachEngine((engine) => {
  let opened: OpenedEngine;
  let dbs: readonly [Db, Db];

  before(async () => {
    opened = await openEngine(engine);
    dbs = [opened.db, await opened.reopen()];
  });
  after(() => opened.dispose());

  const lookUp = async (db: Db, key: string) => (await find(db.read, { key }))?.count;

  const put = (db: Db, key: string, count: number | undefined) =>
    db.write(async (tx) => {
      await tx.deleteFrom("rate_limits").where("key", "=", key).execute();
      if (count !== undefined) await addCounter(tx, key, count);
      return ok();
    });

  test("a lookup sees the latest commit of any connection", async () => {
    const connection = fc.constantFrom(0, 1);
    const change = fc.record({
      at: connection,
      key: fc.constantFrom("a", "b"),
      count: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
      // The connections on which to look up before and after the change.
      lookups: fc.tuple(
        fc.array(connection, { maxLength: 3 }),
        fc.array(connection, { maxLength: 3 }),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
        await put(dbs[0], "a", undefined);
        await put(dbs[0], "b", undefined);
        const expected = new Map<string, number | undefined>();
        const assertFresh = async (connections: readonly number[]) => {
          for (const at of connections) {
            for (const key of ["a", "b"]) {
              assert.equal(await lookUp(dbs[at] as Db, key), expected.get(key));
            }
          }
        };
        for (const { at, key, count, lookups } of changes) {
          await assertFresh(lookups[0]);
          await put(dbs[at], key, count);
          expected.set(key, count);
          await assertFresh(lookups[1]);
        }
      }),
      { numRuns: 40 },
    );
  });

  test("a commit is visible at once, even to a lookup in the same turn of the event loop", async () => {
    const [db] = dbs;
    await put(db, "moment", 1);
    const seen: unknown[] = [];
    await Promise.all([
      lookUp(db, "moment"),
      db.write(async (tx) => {
        await tx.updateTable("rate_limits").set({ count: 2 }).where("key", "=", "moment").execute();
        seen.push((await find(tx, { key: "moment" }))?.count, await lookUp(db, "moment"));
        return ok();
      }),
    ]);
    seen.push(await lookUp(db, "moment"));
    assert.deepEqual(seen, [2, 1, 2]);
  });

  test("a lookup without parameters sees the latest commit of any connection", async () => {
    const [here, there] = dbs;
    for (const [db, count] of [
      [here, 1],
      [there, 2],
      [here, undefined],
      [there, 3],
    ] as const) {
      await put(db, "only", count);
      for (const one of dbs) assert.equal((await findOnly(one.read, {}))?.count, count);
    }
  });

  test("a lookup never sees a change that a refusal rolled back", async () => {
    const [db] = dbs;
    await put(db, "refused", 1);
    await db.write(async (tx) => {
      await tx.updateTable("rate_limits").set({ count: 2 }).where("key", "=", "refused").execute();
      assert.equal((await find(tx, { key: "refused" }))?.count, 2);
      return refuse("conflict");
    });
    assert.equal(await lookUp(db, "refused"), 1);
  });
});

describe("sqlite", () => {
  let opened: OpenedEngine;
  let other: DatabaseSync;
  let pair: readonly [Socket, Socket];
  before(async () => {
    opened = await openEngine("sqlite");
    other = new DatabaseSync(opened.location);
    pair = await socketPair();
  });
  after(async () => {
    for (const socket of pair) socket.destroy();
    other.close();
    await opened.dispose();
  });

  const lookUp = async (key: string) => (await find(opened.db.read, { key }))?.count;

  for (const [phase, later] of [
    ["a timer", setTimeout],
    ["an immediate", setImmediate],
  ] as const) {
    test(`a lookup in ${phase} is not reused for a request that arrives after it`, async () => {
      await opened.db.write(async (tx) => ok(await addCounter(tx, phase, 1)));
      const [client, server] = pair;
      const { promise: seen, resolve } = Promise.withResolvers<unknown>();
      server.once("data", () => resolve(lookUp(phase)));
      const lookUpAndSend = async () => {
        await lookUp(phase);
        // Another process commits before the request is sent, all within this phase of the event loop.
        other.prepare("update rate_limits set count = 2 where key = ?").run(phase);
        client.write("a request");
      };
      later(() => void lookUpAndSend());
      assert.equal(await seen, 2);
    });
  }
});

async function socketPair(): Promise<readonly [Socket, Socket]> {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const client = connect((listener.address() as AddressInfo).port, "127.0.0.1");
  const [server] = (await once(listener, "connection")) as [Socket];
  listener.close();
  return [client, server];
}
