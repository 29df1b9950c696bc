import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { isChange, operations, scopes, type Operation } from "@ironlease/contract";
import { ok } from "#server/kernel/result.ts";
import { startConsoleService, write, type ConsoleService } from "#test/console-service.ts";
import type { Answer } from "#test/https-client.ts";
import { populateAccount } from "#test/populate-account.ts";
import type { Customer } from "#test/service.ts";

/** Every list that an account has. A new one is covered by being in the table. */
const reads = Object.values<Operation>(operations).filter(
  (operation) =>
    operation.access.kind === "session" &&
    !isChange(operation) &&
    !operation.path.includes("{") &&
    operation.query === undefined,
);

interface Seen {
  readonly session: Record<string, unknown>;
  /** With one key of each scope. */
  readonly keys: readonly Record<string, unknown>[];
}

describe("two accounts of one service", () => {
  let service: ConsoleService;
  let first: Seen | undefined;
  let later: Seen | undefined;

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
      const made = { name: scope, scope };
      keys.push((await write<{ key: string }>(eve, "POST", "/api/v1/api-keys", made)).key);
    }
    const look = async (): Promise<Seen> => ({
      keys: await Promise.all(keys.map(seenWith)),
      session: await seenBy(eve),
    });
    // The first use of a key is noted in the list of keys.
    await look();
    first = await look();
    await populateAccount(service, "ada");
    // Kept answers would be the same whatever the queries say: everything is to be read anew.
    await service.core.db.write(async (tx) => {
      await tx
        .updateTable("balances")
        .set(({ eb }) => ({ list_changes: eb("list_changes", "+", 1) }))
        .execute();
      return ok();
    });
    later = await look();
  });
  after(() => service.close());

  test("the one sees what it saw before, however much the other has", () => {
    assert.deepEqual(later?.session, first?.session);
  });

  test("the keys of the one read what they read before, however much the other has", () => {
    assert.deepEqual(later?.keys, first?.keys);
    assert.ok(first?.keys.every((seen) => Object.keys(seen).length > 0));
  });

  test("the other has something in every list", async () => {
    const ada = await seenBy(await service.signIn("ada"));
    for (const { path } of reads) assert.notDeepEqual(ada[path], first?.session[path], path);
  });
});
