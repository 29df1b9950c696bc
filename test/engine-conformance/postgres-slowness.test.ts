import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { sql } from "kysely";
import { openPostgres } from "../../packages/server/src/adapters/postgres/open-postgres.ts";
import { migrations } from "../../packages/server/src/migrations/index.ts";
import { DatabaseUnavailable, type Db } from "../../packages/server/src/ports/db.ts";
import { ok } from "../../packages/server/src/ports/result.ts";
import { openEngine, type OpenedEngine } from "../support/engines.ts";
import { proxyTo, type InterruptibleProxy } from "./interruptible-proxy.ts";
import { addCounter, countOf, keysOf } from "./rows.ts";

describe("postgres", () => {
  let opened: OpenedEngine;
  let proxy: InterruptibleProxy;
  let impatient: Db;

  before(async () => {
    opened = await openEngine("postgres");
  });
  after(() => opened.dispose());

  beforeEach(async () => {
    proxy = await proxyTo(opened.location);
    const url = proxy.url;
    impatient = await openPostgres({ url, poolSize: 2, answerMs: 400, onIdleError: () => {} });
  });
  afterEach(async () => {
    await impatient.close();
    await proxy.cut();
  });

  test("a server that falls silent is unavailable within the time it has to answer", async () => {
    await impatient.ping();
    proxy.silence();
    await assert.rejects(impatient.ping(), DatabaseUnavailable);
    const write = impatient.write(async (tx) => {
      await addCounter(tx, "in silence");
      proxy.silence();
      await addCounter(tx, "in more silence");
      return ok();
    });
    await assert.rejects(write, DatabaseUnavailable);
    await impatient.write(async (tx) => ok(await addCounter(tx, "heard")));
    assert.deepEqual(await keysOf(opened.db, ""), ["heard"]);
  });

  test("a statement that takes longer than it may is unavailable, and undoes its write", async () => {
    await assert.rejects(sql`select pg_sleep(60)`.execute(impatient.read), DatabaseUnavailable);
    const write = impatient.write(async (tx) => {
      await addCounter(tx, "slow");
      await sql`select pg_sleep(60)`.execute(tx);
      return ok();
    });
    await assert.rejects(write, DatabaseUnavailable);
    assert.equal(await countOf(opened.db, "slow"), undefined);
  });

  test("a step of a migration may take longer than a statement of a request", async () => {
    const slow = { name: "9999-slow", statements: () => ["select pg_sleep(0.8)"] };
    assert.deepEqual(await impatient.migrate([...migrations, slow], 0), ["9999-slow"]);
  });
});
