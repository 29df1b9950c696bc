import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { serverStates } from "@ironlease/contract";
import { createTestCore, register, testClient, type TestCore } from "#test/core.ts";
import { claimDdosWork, ddosStateOf } from "#test/ddos.ts";
import { forEachEngine } from "#test/engines.ts";
import { assertInvariantsHold, seedServer } from "#test/rental.ts";
import { codeOf, intentOf, tracesOf, valueOf } from "#test/use-cases.ts";
import type { Core } from "#kernel/core.ts";
import type { DdosMode } from "#ports/schema.ts";
import { setDdosMode } from "./set-ddos-mode.ts";

const unchanged = (mode: DdosMode, quoteRequired: boolean) => ({
  status: 200,
  body: { status: "UNCHANGED", mode, quoteRequired },
  replayed: false,
});
const queued = (mode: DdosMode, quoteRequired: boolean) => ({
  status: 202,
  body: { status: "QUEUED", mode, quoteRequired },
  replayed: false,
});

forEachEngine((engine) => {
  describe("DDoS mode", () => {
    let opened: TestCore;
    let core: Core;
    before(async () => {
      opened = await createTestCore(engine);
      core = opened.core;
    });
    after(() => opened.dispose());

    const ask = (accountId: string, serverId: string, mode: DdosMode) =>
      setDdosMode(
        core,
        { accountId, client: testClient, intent: intentOf("setDdosMode") },
        { serverId, mode },
      );

    test("a mode other than the current one is 202 QUEUED with one request and one work item", async () => {
      const { accountId } = await register(core);
      const { id, machineId } = await seedServer(core, accountId);
      const answer = await valueOf(ask(accountId, id, "ADVANCED"));
      assert.deepEqual(answer, queued("ADVANCED", true));

      const { requests, work, audits } = await tracesOf(core, accountId);
      assert.deepEqual(
        requests.map((row) => [row.server_id, row.mode, row.quote_required]),
        [[id, "ADVANCED", 1]],
      );
      assert.match(requests[0]!.id, /^ddr_/);
      assert.deepEqual(
        work.map((row) => [row.kind, row.state, row.server_id, row.ddos_request_id]),
        [["DDOS", "OPEN", id, requests[0]!.id]],
      );
      const hostname = `${id.replace("_", "-")}.example.com`;
      const detail = { mode: "ADVANCED", quoteRequired: true, machineId, hostname };
      assert.deepEqual(JSON.parse(work[0]!.detail), detail);
      assert.deepEqual(
        audits.map((row) => [row.action, row.subject, JSON.parse(row.detail)]),
        [["server.request_ddos_mode", id, { mode: "ADVANCED", quoteRequired: true }]],
      );
      const state = { mode: "BASELINE", requestedMode: "ADVANCED", living: ["ADVANCED"] };
      assert.deepEqual(await ddosStateOf(core, id), state);
      await assertInvariantsHold(core.db);
    });

    test("ADVANCED needs a quote until one has been accepted", async () => {
      const { accountId } = await register(core);
      const { id } = await seedServer(core, accountId, { ddosQuoteAccepted: true });
      assert.deepEqual(await valueOf(ask(accountId, id, "ADVANCED")), queued("ADVANCED", false));
      const { requests, work } = await tracesOf(core, accountId);
      assert.equal(requests[0]!.quote_required, 0);
      assert.equal(JSON.parse(work[0]!.detail).quoteRequired, false);
    });

    test("BASELINE never needs a quote, neither current nor requested", async () => {
      const { accountId } = await register(core);
      const baseline = await seedServer(core, accountId);
      const advanced = await seedServer(core, accountId, { ddosMode: "ADVANCED" });
      const answers = [
        await valueOf(ask(accountId, baseline.id, "BASELINE")),
        await valueOf(ask(accountId, advanced.id, "BASELINE")),
      ];
      assert.deepEqual(answers, [unchanged("BASELINE", false), queued("BASELINE", false)]);
    });

    for (const mode of ["BASELINE", "ADVANCED"] as const) {
      test(`the current mode ${mode} is 200 UNCHANGED and stores only its key`, async () => {
        const { accountId } = await register(core);
        const { id } = await seedServer(core, accountId, { ddosMode: mode });
        assert.deepEqual(await valueOf(ask(accountId, id, mode)), unchanged(mode, false));
        const { requests, work, keys, audits } = await tracesOf(core, accountId);
        assert.deepEqual([requests, work, audits], [[], [], []]);
        assert.equal(keys.length, 1);
        assert.deepEqual(await ddosStateOf(core, id), { mode, requestedMode: null, living: [] });
      });
    }

    test("requesting the queued mode is QUEUED and adds no second work item", async () => {
      const { accountId } = await register(core);
      const { id } = await seedServer(core, accountId);
      await valueOf(ask(accountId, id, "ADVANCED"));
      await claimDdosWork(core, id);
      const again = await valueOf(ask(accountId, id, "ADVANCED"));
      assert.deepEqual(again, queued("ADVANCED", true));
      const { requests, work, keys, audits } = await tracesOf(core, accountId);
      assert.deepEqual([requests.length, work.length, keys.length, audits.length], [1, 1, 2, 1]);
      assert.equal(work[0]!.state, "CLAIMED");
    });

    for (const isClaimed of [false, true]) {
      const what = isClaimed ? "an operator holds" : "no operator has claimed";
      test(`requesting the current mode withdraws a request that ${what} and is UNCHANGED`, async () => {
        const { accountId } = await register(core);
        const [server, other] = [
          await seedServer(core, accountId),
          await seedServer(core, accountId),
        ];
        await valueOf(ask(accountId, server.id, "ADVANCED"));
        await valueOf(ask(accountId, other.id, "ADVANCED"));
        if (isClaimed) await claimDdosWork(core, server.id);

        const answer = await valueOf(ask(accountId, server.id, "BASELINE"));
        assert.deepEqual(answer, unchanged("BASELINE", false));
        const { work, audits } = await tracesOf(core, accountId);
        const [ended, untouched] = work;
        assert.deepEqual(
          [ended!.state, ended!.outcome, ended!.note, ended!.ended_at, ended!.lease_until],
          ["FAILED", "WITHDRAWN", "The customer withdrew the request.", core.clock.now(), null],
        );
        assert.equal(untouched!.state, "OPEN");
        const last = audits.at(-1)!;
        assert.deepEqual(
          [last.action, last.subject, JSON.parse(last.detail)],
          ["server.withdraw_ddos_mode", server.id, { mode: "ADVANCED" }],
        );
        const state = { mode: "BASELINE", requestedMode: null, living: [] };
        assert.deepEqual(await ddosStateOf(core, server.id), state);
        await assertInvariantsHold(core.db);
      });
    }

    test("a withdrawn request can be made again", async () => {
      const { accountId } = await register(core);
      const { id } = await seedServer(core, accountId);
      for (const mode of ["ADVANCED", "BASELINE", "ADVANCED"] as const) {
        await valueOf(ask(accountId, id, mode));
      }
      const { work } = await tracesOf(core, accountId);
      assert.deepEqual(
        work.map((row) => row.state),
        ["FAILED", "OPEN"],
      );
      await assertInvariantsHold(core.db);
    });

    for (const state of serverStates) {
      const code = state === "TERMINATED" ? "not_found" : "ok";
      test(`a server that is ${state} answers ${code}`, async () => {
        const { accountId } = await register(core);
        const { id } = await seedServer(core, accountId, { state });
        assert.equal(await codeOf(ask(accountId, id, "ADVANCED")), code);
        const { keys, work } = await tracesOf(core, accountId);
        assert.deepEqual([keys.length, work.length], code === "ok" ? [1, 1] : [0, 0]);
      });
    }
  });
});
