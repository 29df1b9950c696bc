import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { createTestCore, register, testClient, type TestCore } from "#test/core.ts";
import { claimDdosWork, ddosStateOf, endDdosWork } from "#test/ddos.ts";
import { forEachEngine } from "#test/engines.ts";
import { assertInvariantsHold, endServer, seedServer } from "#test/rental.ts";
import { codeOf, freshKey, intentOf, traceCountsOf, tracesOf, valueOf } from "#test/use-cases.ts";
import type { Core } from "#kernel/core.ts";
import type { RecordedAnswer } from "#kernel/idempotency.ts";
import type { DdosMode } from "#ports/schema.ts";
import { setDdosMode, type DdosAnswer } from "./set-ddos-mode.ts";

forEachEngine((engine) => {
  describe("keys and races of the DDoS mode", () => {
    let opened: TestCore;
    let core: Core;
    before(async () => {
      opened = await createTestCore(engine);
      core = opened.core;
    });
    after(() => opened.dispose());

    const ask = (
      accountId: string,
      serverId: string,
      mode: DdosMode,
      key = freshKey(),
      through = core,
    ) =>
      setDdosMode(
        through,
        { accountId, client: testClient, intent: intentOf("setDdosMode", key) },
        { serverId, mode },
      );

    test("a replay returns the first answer, even if the mode has changed since, and changes nothing", async () => {
      const { accountId } = await register(core);
      const { id } = await seedServer(core, accountId);
      const key = freshKey();
      const first = await valueOf(ask(accountId, id, "ADVANCED", key));
      for (const end of ["FAILED", "DONE"] as const) {
        await endDdosWork(core, id, end);
        const then = await ddosStateOf(core, id);
        assert.deepEqual(await valueOf(ask(accountId, id, "ADVANCED", key)), {
          ...first,
          replayed: true,
        });
        assert.deepEqual(await ddosStateOf(core, id), then);
        if (end === "FAILED") await valueOf(ask(accountId, id, "ADVANCED"));
      }
    });

    test("an UNCHANGED answer is also replayed, even if a change has been queued since", async () => {
      const { accountId } = await register(core);
      const { id } = await seedServer(core, accountId);
      const key = freshKey();
      const first = await valueOf(ask(accountId, id, "BASELINE", key));
      await valueOf(ask(accountId, id, "ADVANCED"));
      const again = await valueOf(ask(accountId, id, "BASELINE", key));
      assert.deepEqual(again, { ...first, replayed: true });
      assert.deepEqual((await ddosStateOf(core, id)).living, ["ADVANCED"]);
    });

    test("the same key with another mode or on another server is a conflict", async () => {
      const { accountId } = await register(core);
      const [one, other] = [await seedServer(core, accountId), await seedServer(core, accountId)];
      const key = freshKey();
      await valueOf(ask(accountId, one.id, "ADVANCED", key));
      assert.equal(await codeOf(ask(accountId, one.id, "BASELINE", key)), "idempotency_conflict");
      assert.equal(await codeOf(ask(accountId, other.id, "ADVANCED", key)), "idempotency_conflict");
      const left = { requests: 1, work: 1, keys: 1, audits: 1 };
      assert.deepEqual(await traceCountsOf(core, accountId), left);
    });

    test("ownership is checked before the key: a terminated, another account's or an unknown server is not_found", async () => {
      const [{ accountId }, eve] = [await register(core), await register(core)];
      const server = await seedServer(core, accountId);
      const key = freshKey();
      await valueOf(ask(accountId, server.id, "BASELINE", key));
      await endServer(core, accountId, server);
      const foreign = await seedServer(core, eve.accountId);
      for (const id of [server.id, foreign.id, core.ids.next("server")]) {
        assert.equal(await codeOf(ask(accountId, id, "BASELINE", key)), "not_found");
      }
    });

    test("100 concurrent requests with one key have one effect and get one answer", async () => {
      const { accountId } = await register(core);
      const { id } = await seedServer(core, accountId);
      const [key, other] = [freshKey(), await opened.reopen()];
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          valueOf(ask(accountId, id, "ADVANCED", key, index % 2 === 0 ? core : other)),
        ),
      );
      assert.equal(answers.filter(({ replayed }) => !replayed).length, 1);
      assert.equal(new Set(answers.map((answer) => JSON.stringify(answer.body))).size, 1);
      const left = { requests: 1, work: 1, keys: 1, audits: 1 };
      assert.deepEqual(await traceCountsOf(core, accountId), left);
      await assertInvariantsHold(core.db);
    });

    test("concurrent changes leave at most one open work item, for the requested mode", async () => {
      const { accountId } = await register(core);
      const other = await opened.reopen();
      const doings = fc.constantFrom("BASELINE", "ADVANCED", "CLAIM", "DONE", "FAILED");
      const atOnce = fc.array(doings, { minLength: 2, maxLength: 12 });
      const property = fc.asyncProperty(atOnce, async (doing) => {
        const { id } = await seedServer(core, accountId, { addressSets: 0 });
        await Promise.all(
          doing.map((what, index) => {
            const through = index % 2 === 0 ? core : other;
            if (what === "CLAIM") return claimDdosWork(through, id);
            if (what === "DONE" || what === "FAILED") return endDdosWork(through, id, what);
            return valueOf(ask(accountId, id, what, freshKey(), through));
          }),
        );
        const { requestedMode, living } = await ddosStateOf(core, id);
        assert.deepEqual(living, requestedMode === null ? [] : [requestedMode]);
      });
      await fc.assert(property, { numRuns: 40 });
      await assertInvariantsHold(core.db);
    });

    test("any sequence of requests, replays and operator steps follows the rules", async () => {
      const { accountId } = await register(core);
      const step = fc.oneof(
        fc.constantFrom("BASELINE", "ADVANCED", "CLAIM", "DONE", "FAILED"),
        fc.nat({ max: 20 }),
      );
      const property = fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const { id } = await seedServer(core, accountId, { addressSets: 0 });
        const model = new Model();
        const asked: { key: string; mode: DdosMode; first: RecordedAnswer<DdosAnswer> }[] = [];
        for (const what of steps) {
          if (typeof what === "number") {
            const earlier = asked[what % Math.max(asked.length, 1)];
            if (earlier === undefined) continue;
            const again = await valueOf(ask(accountId, id, earlier.mode, earlier.key));
            assert.deepEqual(again, { ...earlier.first, replayed: true });
          } else if (what === "CLAIM") {
            await claimDdosWork(core, id);
          } else if (what === "DONE" || what === "FAILED") {
            await endDdosWork(core, id, what);
            model.end(what);
          } else {
            const key = freshKey();
            const first = await valueOf(ask(accountId, id, what, key));
            assert.deepEqual(first.body, model.ask(what));
            asked.push({ key, mode: what, first });
          }
          const { mode, requestedMode, living } = await ddosStateOf(core, id);
          assert.deepEqual([mode, requestedMode], [model.mode, model.requestedMode]);
          assert.deepEqual(living, requestedMode === null ? [] : [requestedMode]);
        }
      });
      await fc.assert(property, { numRuns: 30 });
      const { keys, work } = await tracesOf(core, accountId);
      assert.ok(work.length <= keys.length);
      await assertInvariantsHold(core.db);
    });
  });
});

/** A model of the contract's rules on DDoS modes. */
class Model {
  mode: DdosMode = "BASELINE";
  requestedMode: DdosMode | null = null;
  isQuoteAccepted = false;

  ask(mode: DdosMode): DdosAnswer {
    this.requestedMode = mode === this.mode ? null : mode;
    const quoteRequired = mode === "ADVANCED" && !this.isQuoteAccepted;
    return { status: mode === this.mode ? "UNCHANGED" : "QUEUED", mode, quoteRequired };
  }

  end(state: "DONE" | "FAILED"): void {
    if (this.requestedMode !== null && state === "DONE") this.mode = this.requestedMode;
    if (this.mode === "ADVANCED") this.isQuoteAccepted = true;
    this.requestedMode = null;
  }
}
