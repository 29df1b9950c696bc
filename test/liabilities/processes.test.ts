import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { migrations } from "#server/migrations/index.ts";
import { ok } from "#server/kernel/result.ts";
import type { Engine } from "#server/ports/db.ts";
import { runIronleased, temporaryFolder } from "#test/daemon.ts";
import { forEachEngine } from "#test/engines.ts";
import { openAt } from "#test/open-at.ts";
import { createTestDatabase } from "#test/test-database.ts";

const signer = new URL("killed-signer.ts", import.meta.url).pathname;

forEachEngine((engine) => {
  test("kill -9 while a tree is written leaves nothing, and then two processes sign it once", async () => {
    const { env, location } = await newDatabase(engine);
    const db = await openAt(engine, location);
    try {
      await db.migrate(migrations, 0);
      await db.write(async (tx) => {
        await sql`insert into accounts (id, username, password_hash, recovery_hash, created_at)
          values ('acc_1', 'ada', '', '', 0)`.execute(tx);
        await sql`insert into balances (account_id, available_cents, held_cents, entries, list_changes, chained_entries)
          values ('acc_1', 0, 0, 0, 0, 0)`.execute(tx);
        return ok();
      });

      const child = spawn(process.execPath, [signer], {
        env: { PATH: process.env["PATH"], ...env },
        stdio: "inherit",
      });
      const [, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
      assert.equal(signal, "SIGKILL");
      const { rows } = await sql`select date from liability_trees
        union all select date from liability_chunks`.execute(db.read);
      assert.deepEqual(rows, []);

      const runs = await Promise.all([1, 2].map(() => runIronleased(["liabilities", "run"], env)));
      const lines = runs.map(({ stdout }) => stdout.split("\n"));
      const firsts = lines.map(([first]) => (first ?? "").replace(/ for .*/, "")).toSorted();
      assert.deepEqual(firsts, ["Already signed", "Signed"]);
      assert.equal(new Set(lines.map(([, root]) => root)).size, 1);
    } finally {
      await db.close();
    }
    const verified = await runIronleased(["verify"], env);
    assert.equal(verified.code, 0, verified.stdout);
  });
});

async function newDatabase(engine: Engine) {
  const env = { IRONLEASE_DATA: temporaryFolder() };
  if (engine === "sqlite") return { env, location: join(env.IRONLEASE_DATA, "ironlease.db") };
  const { url } = await createTestDatabase();
  return { env: { ...env, IRONLEASE_DATABASE_URL: url }, location: url };
}
