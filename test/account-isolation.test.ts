import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { isChange, operations, scopes, type Operation } from "@ironlease/contract";
import { ok } from "#server/kernel/result.ts";
import { startConsoleService, write, type ConsoleService } from "#test/console-service.ts";
import type { Answer } from "#test/https-client.ts";
import { populateAccount } from "#test/populate-account.ts";
import type { Customer } from "#test/service.ts";

/**
 * Every list of an account, from the operation table. Signed totals are the same for all customers. An export adds an
 * entry to the account's activity.
 */
const reads = Object.values<Operation>(operations).filter(
  (operation) =>
    operation.access.kind === "session" &&
    !isChange(operation) &&
    !operation.path.includes("{") &&
    operation !== operations.listLiabilities &&
    operation !== operations.exportAccount &&
    operation.query?.required === undefined,
);

interface VisibleData {
  readonly session: Record<string, unknown>;
  /** For one key of each scope. */
  readonly keys: readonly Record<string, unknown>[];
}

describe("isolation of two accounts", () => {
  let service: ConsoleService;
  let first: VisibleData | undefined;
  let later: VisibleData | undefined;

  const allReads = async (send: (path: string) => Promise<Answer>) =>
    Object.fromEntries(
      await Promise.all(reads.map(async ({ path }) => [path, (await send(path)).json] as const)),
    );
  const seenBy = (customer: Customer) => allReads((path) => customer.send("GET", path));
  const seenWith = async (key: string) => {
    const seen = await allReads((path) =>
      service.send("GET", path, { headers: { authorization: `Bearer ${key}` } }),
    );
    return Object.fromEntries(Object.entries(seen).filter(([, answer]) => !("error" in answer)));
  };

  before(async () => {
    service = await startConsoleService();
    const eve = await service.register("eve");
    const keys: string[] = [];
    for (const scope of scopes) {
      const body = { name: scope, scope };
      keys.push((await write<{ key: string }>(eve, "POST", "/api/v1/api-keys", body)).key);
    }
    const readAll = async (): Promise<VisibleData> => ({
      keys: await Promise.all(keys.map(seenWith)),
      session: await seenBy(eve),
    });
    // The first use of a key changes the list of keys.
    await readAll();
    first = await readAll();
    await populateAccount(service, "ada");
    await write(await service.signIn("ada"), "PUT", "/api/v1/withdrawal-lock", { locked: true });
    // Invalidates the response cache, which would otherwise hide a wrong query.
    await service.core.db.write(async (tx) => {
      await tx
        .updateTable("balances")
        .set(({ eb }) => ({ list_changes: eb("list_changes", "+", 1) }))
        .execute();
      return ok();
    });
    later = await readAll();
    // It counts the invalidation.
    for (const { session } of [first, later]) {
      const sums = session["/api/v1/account-changes"] as { changes?: number };
      assert.ok(sums.changes !== undefined);
      delete sums.changes;
    }
  });
  after(() => service.close());

  test("a session's lists do not change when another account gains data", () => {
    assert.deepEqual(later?.session, first?.session);
  });

  test("an export has nothing of the other account", async () => {
    const eve = await service.signIn("eve");
    const { text } = await eve.send("GET", "/api/v1/account-export");
    const owned = await service.core.db.read
      .selectFrom("audit")
      .innerJoin("accounts", "accounts.id", "audit.actor")
      .select("audit.subject")
      .where("accounts.username", "=", "ada")
      .execute();
    assert.ok(owned.length > 0);
    const found = owned.filter(({ subject }) => text.includes(subject));
    assert.deepEqual(found, []);
  });

  test("an API key's lists do not change when another account gains data", () => {
    assert.deepEqual(later?.keys, first?.keys);
    assert.ok(first?.keys.every((seen) => Object.keys(seen).length > 0));
  });

  test("the other account has data in every list", async () => {
    const ada = await seenBy(await service.signIn("ada"));
    for (const { path } of reads) assert.notDeepEqual(ada[path], first?.session[path], path);
  });
});
