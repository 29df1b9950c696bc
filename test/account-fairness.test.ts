import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ok } from "#server/kernel/result.ts";
import { untilBlocked } from "#test/lock-waits.ts";
import { startTestService, type Customer, type TestService } from "#test/service.ts";

const publicKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ada@example";

// Only on PostgreSQL: SQLite locks the whole file, so every write waits for every other.
describe("postgres", () => {
  test("60 blocked writes of one account delay no other account and no probe", async () => {
    const service = await startTestService("postgres", {
      settings: { IRONLEASE_DATABASE_POOL: "4" },
    });
    try {
      const greedy = await service.register();
      const modest = await service.register();
      const unlock = await lockAccount(service, greedy);
      let answered = 0;
      const held = Array.from({ length: 60 }, async (_, index) => {
        const { status } = await saveKey(greedy, `key ${index}`);
        answered += 1;
        return status;
      });
      try {
        await untilBlocked(service.core.db);
        assert.equal((await modest.send("GET", "/api/v1/me")).status, 200);
        assert.equal((await saveKey(modest, "a key")).status, 201);
        assert.equal((await service.send("GET", "/api/health")).status, 200);
        assert.equal((await service.sendToDesk("GET", "/readyz")).status, 200);
        assert.equal((await greedy.send("GET", "/api/v1/me")).status, 200);
        assert.equal(answered, 0, "the writes must still wait after these answers");
      } finally {
        await unlock();
      }
      const statuses = await Promise.all(held);
      assert.equal(statuses.filter((status) => status === 201).length, 50, "the limit of keys");
      assert.equal(statuses.filter((status) => status === 409).length, 10);
    } finally {
      await service.close();
    }
  });
});

function saveKey(customer: Customer, name: string) {
  return customer.send("POST", "/api/v1/ssh-keys", { body: { name, publicKey } });
}

async function lockAccount(
  { core: { db } }: TestService,
  { username }: Customer,
): Promise<() => Promise<unknown>> {
  const locked = Promise.withResolvers<void>();
  const unlocked = Promise.withResolvers<void>();
  const write = db.write(async (tx) => {
    const account = tx.selectFrom("accounts").select("id").where("username", "=", username);
    await account.forUpdate().execute();
    locked.resolve();
    await unlocked.promise;
    return ok();
  });
  await locked.promise;
  return () => {
    unlocked.resolve();
    return write;
  };
}
