import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "kysely";
import { systemClock } from "#server/adapters/system/clock.ts";
import { systemRandom } from "#server/adapters/system/random.ts";
import { freezeAccount } from "#server/features/customers/freeze-account.ts";
import type { Core } from "#server/kernel/core.ts";
import { systemCall, type Intent } from "#server/kernel/call.ts";
import { once } from "#server/kernel/idempotency.ts";
import { createIds } from "#server/kernel/ids.ts";
import { migrations } from "#server/migrations/index.ts";
import { DatabaseUnavailable, type Db } from "#server/ports/db.ts";
import { ok } from "#server/kernel/result.ts";
import { register } from "#test/bare-core.ts";
import { openAt } from "#test/open-at.ts";
import { startOwnPostgres, type OwnPostgres } from "#test/postgres-server.ts";

const maxPolls = 5_000;

const client = { ipAddress: "192.0.2.9", userAgent: "test" };
const operator = { operatorId: "op_test", username: "op", role: "admin" } as const;

/** With synchronous replication, PostgreSQL confirms a commit only after the standby has it. */
describe("postgres with a synchronous standby", () => {
  let primary: OwnPostgres;
  let standby: OwnPostgres;
  let core: Core;
  before(async () => {
    primary = await startOwnPostgres();
    const migrated = await openAt("postgres", primary.url);
    await migrated.migrate(migrations, 0);
    await migrated.close();
    standby = await primary.startStandby();
    const db = await openAt("postgres", primary.url);
    const ids = createIds(systemClock, systemRandom);
    core = { db, clock: systemClock, ids } as Core;
  });
  after(async () => {
    await primary.stop();
    await standby.stop();
    // Last, because close waits for writes, and those would wait for a stopped standby for ever.
    await core.db.close();
  });

  const send = (key: string, idempotency: Intent["idempotency"], sum: number) =>
    core.db.write((tx) => {
      const intent = { operation: "test", key, idempotency };
      const effect = async () => ok({ status: 201, body: { key }, reference: "test_1" });
      const call = { ...systemCall, actor: "owner", intent };
      return once({ tx, core, call }, { sum }, effect);
    });

  test("a commit waits for the standby", async () => {
    await standby.pause();
    const sent = send("waiting", "replay", 1);
    await untilCommitsWait(core.db, 1);
    await standby.resume();
    assert.ok((await sent).ok);
  });

  test("repeating a write that only the primary has committed is answered once the standby has it", async () => {
    const { accountId } = await register(core);
    const freeze = () => freezeAccount(core, { operator, client }, { accountId, reason: "fraud" });
    await standby.pause();
    const keys = ["another-request", "conflict-mode", "replayed"];
    const first = [...keys.map((key) => send(key, "replay", 1)), freeze()];
    const lost = first.map((sent) => assert.rejects(sent, DatabaseUnavailable));
    await untilCommitsWait(core.db, first.length);
    // Terminating the connections, as a restart does, leaves the rows committed on the primary only.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where wait_event = 'SyncRep'`.execute(core.db.read);
    await Promise.all(lost);

    let answers = 0;
    const again = [
      send("replayed", "replay", 1),
      send("another-request", "replay", 2),
      send("conflict-mode", "conflict", 1),
      freeze(),
    ].map((sent) => sent.finally(() => (answers += 1)));
    await untilCommitsWait(core.db, again.length, () => answers > 0);
    assert.equal(answers, 0, "answered before the standby had the commit");

    await standby.resume();
    assert.deepEqual(
      (await Promise.all(again)).map((answer) => (answer.ok ? "ok" : answer.refusal.code)),
      ["ok", "idempotency_conflict", "idempotency_conflict", "ok"],
    );

    await primary.kill();
    const promoted = await openAt("postgres", standby.url);
    await sql`select pg_promote()`.execute(promoted.read);
    const stored = await promoted.read.selectFrom("idempotency_keys").select("key").execute();
    assert.deepEqual(stored.map(({ key }) => key).toSorted(), [...keys, "waiting"]);
    await promoted.close();
  });
});

/** Waits until this many commits wait for the standby, or `isOver` returns true. */
async function untilCommitsWait(db: Db, count: number, isOver = () => false): Promise<void> {
  for (let poll = 0; poll < maxPolls && !isOver(); poll += 1) {
    const { rows } = await sql`select 1 from pg_stat_activity
      where wait_event = 'SyncRep'`.execute(db.read);
    if (rows.length === count) return;
  }
  assert.ok(isOver(), "the commits do not wait for the standby");
}
