import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, register, testClient, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "./result.ts";
import type { Core } from "./core.ts";
import { once, type Effect, type NormalizedRequest, type RecordedAnswer } from "./idempotency.ts";

forEachEngine((engine) => {
  describe("idempotency", () => {
    let testCore: TestCore;
    let accountId: string;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ accountId } = await register(testCore.core));
    });
    after(() => testCore.dispose());

    let effects = 0;
    const doOnce = (
      key: string,
      options: {
        core?: Core;
        request?: NormalizedRequest;
        mode?: "replay" | "conflict";
        operation?: string;
        effect?: () => Promise<Result<Effect<{ n: number }>>>;
      } = {},
    ): Promise<Result<RecordedAnswer<{ n: number }>>> => {
      const core = options.core ?? testCore.core;
      const intent = {
        operation: options.operation ?? "test",
        key,
        idempotency: options.mode ?? "replay",
      };
      const effect =
        options.effect ??
        (async () => ok({ status: 201, body: { n: (effects += 1) }, reference: "test_1" }));
      return core.db.write((tx) =>
        once(
          { tx, core, call: { accountId, client: testClient, intent } },
          options.request ?? { a: 1, b: 2 },
          effect,
        ),
      );
    };
    const valueOf = <T>(result: Result<T>): T =>
      result.ok ? result.value : assert.fail(result.refusal.code);
    const codeOf = (result: Result<unknown>) => (result.ok ? "ok" : result.refusal.code);

    test("the same key and request return the first answer without a second effect", async () => {
      const first = valueOf(await doOnce("same-same"));
      const before = effects;
      const again = valueOf(await doOnce("same-same", { request: { b: 2, a: 1 } }));
      assert.deepEqual(again, { ...first, replayed: true });
      assert.equal(effects, before);
    });

    test("another request with the key is a conflict, and in conflict mode so is the same one", async () => {
      await doOnce("differs");
      assert.equal(
        codeOf(await doOnce("differs", { request: { a: 1, b: 3 } })),
        "idempotency_conflict",
      );
      await doOnce("conflict-mode", { mode: "conflict" });
      assert.equal(
        codeOf(await doOnce("conflict-mode", { mode: "conflict" })),
        "idempotency_conflict",
      );
    });

    test("operations do not share keys", async () => {
      const first = valueOf(await doOnce("shared-name"));
      const other = valueOf(await doOnce("shared-name", { operation: "other" }));
      assert.notDeepEqual(first.body, other.body);
    });

    test("an effect that is refused or throws leaves the key unused", async () => {
      assert.equal(
        codeOf(await doOnce("freed", { effect: async () => refuse("insufficient_balance") })),
        "insufficient_balance",
      );
      await assert.rejects(
        doOnce("freed", { effect: () => Promise.reject(new Error("crash")) }),
        /crash/,
      );
      assert.equal(valueOf(await doOnce("freed")).replayed, false);
    });

    test("a thousand concurrent requests over two instances have one effect and one answer", async () => {
      const second = await testCore.reopen();
      const before = effects;
      const results = await Promise.all(
        Array.from({ length: 1_000 }, (_, index) =>
          doOnce("thousand", { core: index % 2 === 0 ? testCore.core : second }),
        ),
      );
      assert.equal(new Set(results.map((result) => valueOf(result).body.n)).size, 1);
      assert.equal(results.filter((result) => !valueOf(result).replayed).length, 1);
      assert.ok(effects - before >= 1);
      const { rows } = await testCore.core.db.read
        .selectFrom("idempotency_keys")
        .select((eb) => eb.fn.countAll<number>().as("rows"))
        .where("key", "=", "thousand")
        .executeTakeFirstOrThrow();
      assert.equal(rows, 1);
    });
  });
});
