import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { Engine } from "#server/ports/db.ts";
import { killUnderLoad } from "./power-cuts/kills.ts";
import { operatorPassword } from "./power-cuts/load-operator.ts";
import { forEachEngine } from "#test/engines.ts";
import { runIronleased, startIronleased, temporaryFolder } from "#test/daemon.ts";
import { openAt } from "#test/open-at.ts";
import { createTestDatabase } from "#test/test-database.ts";

const kills = 3;

forEachEngine((engine) => {
  test(`after ${kills} kill -9 during changes of every kind, nothing acknowledged is lost`, async () => {
    const { env, location } = await newDatabase(engine);
    let daemon = await startIronleased("preview", env);
    const db = await openAt(engine, location);
    try {
      const found = await killUnderLoad(
        {
          db,
          service: daemon,
          mayDisconnect: true,
          kill: async (client) => {
            await daemon.stop("SIGKILL");
            client.service = daemon = await startIronleased("preview", env);
            return [];
          },
        },
        { kills, seed: 5 },
      );
      assert.deepEqual(
        found.flatMap(({ problems }) => problems),
        [],
      );
      assert.ok(found.every(({ acknowledged, unanswered }) => acknowledged > 0 && unanswered > 0));
    } finally {
      assert.equal(await daemon.stop(), 0);
      await db.close();
    }
    const verified = await runIronleased(["verify"], env);
    assert.equal(verified.code, 0, verified.stdout);
  });
});

async function newDatabase(engine: Engine) {
  const env = {
    IRONLEASE_DATA: temporaryFolder(),
    IRONLEASE_AUTH_LIMITS: "off",
    IRONLEASE_OPERATOR_PASSWORD: operatorPassword,
  };
  if (engine === "sqlite") return { env, location: join(env.IRONLEASE_DATA, "ironlease.db") };
  const { url } = await createTestDatabase();
  return { env: { ...env, IRONLEASE_DATABASE_URL: url }, location: url };
}
