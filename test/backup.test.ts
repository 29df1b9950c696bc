import assert from "node:assert/strict";
import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { runIronleased, startIronleased, temporaryFolder, type Daemon } from "#test/daemon.ts";
import type { Send } from "#test/https-client.ts";
import { customerOf, password } from "#test/service.ts";

const destination = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";
const writers = 4;
const acknowledgedBefore = 40;

test("a backup taken during writes contains every acknowledged write and can be restored", async () => {
  const env = { IRONLEASE_DATA: temporaryFolder(), IRONLEASE_AUTH_LIMITS: "off" };
  const file = join(temporaryFolder(), "ironlease.backup");
  const daemon = await startIronleased("preview", env);
  const send = await fundedCustomer(daemon, env);

  const acknowledged: string[] = [];
  const enough = Promise.withResolvers<void>();
  const over = new AbortController();
  const write = async (writer: number) => {
    for (let count = 0; !over.signal.aborted; count += 1) {
      const answer = await send("POST", "/api/v1/withdrawals", {
        body: { asset: "ETH", destination, usd: 1 },
        headers: { "idempotency-key": `backup-${writer}-${count}` },
      });
      assert.equal(answer.status, 201, answer.text);
      acknowledged.push(answer.json.id);
      if (acknowledged.length === acknowledgedBefore) enough.resolve();
    }
  };
  const load = Promise.all(Array.from({ length: writers }, (_, index) => write(index)));
  await Promise.race([enough.promise, load]);
  const before = [...acknowledged];
  const backup = await runIronleased(["backup", file], env);
  const during = acknowledged.length - before.length;
  over.abort();
  await load;
  assert.equal(backup.code, 0, backup.stderr);
  assert.match(backup.stdout, /checked and synced/);
  assert.ok(during > 0, "no write during the backup");

  // Simulate a crash that leaves the files as they are, then restore as the guide describes.
  await daemon.stop("SIGKILL");
  const database = join(env.IRONLEASE_DATA, "ironlease.db");
  assert.ok(existsSync(`${database}-wal`));
  for (const path of [database, `${database}-wal`, `${database}-shm`]) rmSync(path);
  copyFileSync(file, database);
  const verified = await runIronleased(["verify"], env);
  assert.equal(verified.code, 0, verified.stdout);
  const backedUp = withdrawalsIn(file);
  assert.deepEqual(
    before.filter((id) => !backedUp.has(id)),
    [],
  );

  const restored = await startIronleased("preview", env);
  const signedIn = await restored.send("POST", "/api/v1/auth/login", {
    body: { username: "ada", password },
  });
  assert.equal(signedIn.status, 200, signedIn.text);
  const again = customerOf(restored.send, signedIn, "ada").send;
  const { json } = await again("GET", "/api/v1/ledger");
  assert.equal(json.heldUsd, backedUp.size);
  const next = await again("POST", "/api/v1/withdrawals", {
    body: { asset: "ETH", destination, usd: 1 },
    headers: { "idempotency-key": "after-the-restore" },
  });
  assert.equal(next.status, 201, next.text);
  assert.equal(await restored.stop(), 0);
  assert.equal((await runIronleased(["verify"], env)).code, 0);
});

async function fundedCustomer(
  daemon: Daemon,
  env: Readonly<Record<string, string>>,
): Promise<Send> {
  const registered = await daemon.send("POST", "/api/v1/auth/register", {
    body: { username: "ada", password },
  });
  const { send } = customerOf(daemon.send, registered, "ada");
  const { json } = await send("POST", "/api/v1/deposit-addresses", {
    body: { asset: "USDT" },
    headers: { "idempotency-key": "backup-deposit" },
  });
  const paid = await runIronleased(["simulate-payment", json.address, "90000"], env);
  assert.equal(paid.code, 0, paid.stderr);
  return send;
}

function withdrawalsIn(file: string): ReadonlySet<string> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = database.prepare("select id from withdrawals").all();
    return new Set(rows.map(({ id }) => String(id)));
  } finally {
    database.close();
  }
}
