import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { assertInvariantsHold, seedServer } from "#test/rental.ts";
import { codeOf, fieldsOf, valueOf } from "#test/use-cases.ts";
import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/call.ts";
import type { ServerState } from "#ports/schema.ts";
import { resumeServer, suspendServer } from "./suspend-server.ts";

const reason = "abuse report 17";

forEachEngine((engine) => {
  describe("suspending a server", () => {
    let testCore: TestCore;
    let core: Core;
    let call: OperatorCall;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      call = await operatorCall(core, "admin");
    });
    after(() => testCore.dispose());

    const serverIn = async (state: ServerState) => {
      const { accountId } = await register(core);
      return (await seedServer(core, accountId, { state })).id;
    };
    const stateOf = async (id: string) => {
      const rows = core.db.read.selectFrom("servers").select("state").where("id", "=", id);
      return (await rows.executeTakeFirstOrThrow()).state;
    };
    const deedsOn = async (subject: string) => {
      const rows = core.db.read.selectFrom("audit").select(["action", "detail"]);
      const found = await rows.where("subject", "=", subject).orderBy("id").execute();
      return found.map(({ action, detail }) => [action, JSON.parse(detail)]);
    };

    const outcomes: [typeof suspendServer, ServerState, ServerState | "conflict"][] = [
      [suspendServer, "PROVISIONING", "conflict"],
      [suspendServer, "ACTIVE", "SUSPENDED"],
      [suspendServer, "GRACE", "SUSPENDED"],
      [suspendServer, "SUSPENDED", "SUSPENDED"],
      [suspendServer, "TERMINATED", "conflict"],
      [resumeServer, "PROVISIONING", "conflict"],
      [resumeServer, "ACTIVE", "ACTIVE"],
      [resumeServer, "GRACE", "GRACE"],
      [resumeServer, "SUSPENDED", "ACTIVE"],
      [resumeServer, "TERMINATED", "conflict"],
    ];
    for (const [set, from, to] of outcomes) {
      test(`${set.name} of a server that is ${from}: ${to}`, async () => {
        const id = await serverIn(from);
        const asked = set(core, call, { serverId: id, reason });
        const isConflict = to === "conflict";
        assert.equal(await codeOf(asked), isConflict ? "conflict" : "ok");
        if (!isConflict) assert.equal((await valueOf(asked)).state, to);
        assert.equal(await stateOf(id), isConflict ? from : to);
        const action = set === suspendServer ? "server.suspend" : "server.resume";
        const deeds = isConflict || from === to ? [] : [[action, { reason, from, to }]];
        assert.deepEqual(await deedsOn(id), deeds);
      });
    }

    test("a server resumes into GRACE exactly when its paid term has ended", async () => {
      const { accountId } = await register(core);
      const [paid, due] = [
        await seedServer(core, accountId, { state: "SUSPENDED", term: "monthly" }),
        await seedServer(core, accountId, { state: "SUSPENDED", term: "weekly" }),
      ];
      testCore.clock.advance(7 * 86_400_000);
      assert.equal(
        (await valueOf(resumeServer(core, call, { serverId: due.id, reason }))).state,
        "GRACE",
      );
      assert.equal(
        (await valueOf(resumeServer(core, call, { serverId: paid.id, reason }))).state,
        "ACTIVE",
      );
    });

    test("an unknown server is not found, and a blank reason is refused", async () => {
      for (const set of [suspendServer, resumeServer]) {
        assert.equal(
          await codeOf(set(core, call, { serverId: "srv_unknown", reason })),
          "not_found",
        );
        const fields = await fieldsOf(set(core, call, { serverId: "srv_unknown", reason: " " }));
        assert.equal(fields?.[0]?.field, "reason");
      }
    });

    test("concurrent suspensions of one server leave one audit entry", async () => {
      const other = await testCore.reopen();
      const id = await serverIn("ACTIVE");
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          suspendServer(index % 2 === 0 ? core : other, call, { serverId: id, reason }),
        ),
      );
      assert.ok(results.every((result) => result.ok && result.value.state === "SUSPENDED"));
      assert.equal((await deedsOn(id)).length, 1);
    });

    test("every invariant holds afterwards", () => assertInvariantsHold(core.db));
  });
});
