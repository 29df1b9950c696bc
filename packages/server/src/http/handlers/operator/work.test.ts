import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { destination, provisionAll, queueAction } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf, type Answer } from "#test/https-client.ts";
import type { SignedInOperator } from "#test/operators.ts";
import { order, startRental, type Rental } from "#test/rental-service.ts";
import { isoTime } from "#kernel/iso-time.ts";

const work = "/operator/v1/work";
const leaseMs = 30 * 60_000;

forEachEngine((engine) => {
  describe("the work queue over HTTPS", () => {
    let rental: Rental;
    let support: SignedInOperator;
    let finance: SignedInOperator;
    before(async () => {
      rental = await startRental(engine);
      support = await rental.operator("support");
      finance = await rental.operator("finance");
    });
    after(() => rental.close());

    const step = (by: SignedInOperator, id: string, verb: string, body?: unknown) =>
      by.send("POST", `${work}/${id}/${verb}`, body === undefined ? {} : { body });
    const fieldsOf = ({ json }: Answer): string[] =>
      (json.error.fields ?? []).map(({ field }: { field: string }) => field);

    test("a withdrawal item shows its ids, its amount in USD, and each step until it is paid", async () => {
      const ada = await rental.customer(6_000);
      const headers = { "idempotency-key": "withdraw-large" };
      const body = { asset: "ETH", destination, usd: 5_000 };
      const { json: withdrawal } = await ada.send("POST", "/api/v1/withdrawals", { body, headers });
      const now = rental.clock.now();
      const list = await support.send("GET", `${work}?kind=WITHDRAWAL&state=OPEN`);
      assert.equal(list.status, 200, list.text);
      const [item] = list.json.work;
      const open = {
        id: item.id,
        kind: "WITHDRAWAL",
        state: "OPEN",
        createdAt: isoTime(now),
        claimedBy: null,
        leaseUntil: null,
        accountId: ada.accountId,
        username: ada.username,
        withdrawalId: withdrawal.id,
        assignedTo: null,
        dueAt: isoTime(now + 24 * 3_600_000),
        detail: { asset: "ETH", destination, usd: 5_000 },
        approvals: [],
        note: null,
        outcome: null,
        endedAt: null,
      };
      assert.deepEqual(list.json, { work: [open] });
      const shown = (await support.send("GET", `${work}/${item.id}`)).json;
      const line = "Compare the whole destination address";
      const { checklist, review } = shown;
      const { accountCreatedAt, ...history } = review;
      assert.ok(accountCreatedAt <= isoTime(now));
      assert.deepEqual(history, {
        ...{ operatorsNeeded: 2, deposits: 0, depositedUsd: 0 },
        ...{ paidWithdrawals: 0, paidUsd: 0, paidToDestination: 0, accessChange: null },
      });
      assert.deepEqual(checklist[0], { line, tickedBy: null, tickedAt: null });
      assert.deepEqual(shown, { ...open, checklist, review });

      assert.equal(codeOf(await step(support, item.id, "claim")), "role_forbidden");
      const leaseUntil = isoTime(now + leaseMs);
      const claimed = await step(finance, item.id, "claim");
      const price = { amount: "1.572079861656972174", rate: "3180.50", amountError: null };
      const priced = { ...open, checklist, review, detail: { ...open.detail, ...price } };
      const claim = { state: "CLAIMED", claimedBy: finance.username, leaseUntil };
      assert.deepEqual(claimed.json, { ...priced, ...claim });
      const approved = await step(finance, item.id, "complete", { note: "Looks right." });
      const approval = { operator: finance.username, at: isoTime(now), note: "Looks right." };
      assert.deepEqual(approved.json, { ...priced, approvals: [approval] });
      await step(finance, item.id, "claim");
      const again = await step(finance, item.id, "complete", { transactionId: "0xfeed" });
      assert.equal(codeOf(again), "conflict");
      await step(finance, item.id, "release");

      const admin = await rental.operator("admin");
      await step(admin, item.id, "claim");
      const tick = { body: { line, ticked: true } };
      await admin.send("PUT", `${work}/${item.id}/checklist`, tick);
      const done = await step(admin, item.id, "complete", {
        transactionId: "0xfeed",
        note: "Paid.",
      });
      assert.deepEqual(done.json, {
        ...priced,
        checklist: [{ line, tickedBy: admin.username, tickedAt: isoTime(now) }],
        state: "DONE",
        dueAt: null,
        claimedBy: admin.username,
        approvals: [approval],
        note: "Paid.",
        outcome: "PAID",
        endedAt: isoTime(now),
      });
      const ledger = await ada.send("GET", "/api/v1/ledger");
      assert.deepEqual([ledger.json.balanceUsd, ledger.json.heldUsd], [1_000, 0]);
    });

    test("failed deliveries refund each server's share, and the shares sum to the charge", async () => {
      const ada = await rental.customer(1_000);
      // 49.99 × 10 less 12.33 percent is 438.26, which ten servers cannot share evenly.
      const body = { ...order, quantity: 10 };
      const headers = { "idempotency-key": "ten-servers" };
      const placed = await ada.send("POST", "/api/v1/orders", { body, headers });
      assert.equal(placed.json.totalUsd, 438.26);
      const { json } = await ada.send("GET", "/api/v1/servers");
      const shares = new Map<string, number>(
        json.servers.map((server: { id: string; priceUsd: number }) => [
          server.id,
          server.priceUsd,
        ]),
      );
      assert.deepEqual(new Set(shares.values()), new Set([43.83, 43.82]));
      const list = await support.send("GET", `${work}?kind=PROVISION`);
      let balanceCents = 100_000 - 43_826;
      for (const item of list.json.work) {
        await step(support, item.id, "claim");
        const failed = await step(support, item.id, "fail", { reason: "No power in the rack." });
        assert.equal(failed.json.outcome, "REFUNDED", failed.text);
        balanceCents += Math.round((shares.get(item.serverId) ?? 0) * 100);
        const { balanceUsd } = (await ada.send("GET", "/api/v1/me")).json;
        assert.equal(balanceUsd, balanceCents / 100);
      }
      assert.equal(balanceCents, 100_000);
      const { entries } = (await ada.send("GET", "/api/v1/ledger")).json;
      assert.equal(entries[0].description, "Not delivered: No power in the rack.");
      assert.equal(entries[0].reference.kind, "server");
      assert.deepEqual((await ada.send("GET", "/api/v1/servers")).json.servers, []);
    });

    test("the customer sees a delivered server as ACTIVE, with addresses", async () => {
      const ada = await rental.customer(500);
      const headers = { "idempotency-key": "two-servers" };
      const body = { ...order, quantity: 2 };
      const placed = await ada.send("POST", "/api/v1/orders", { body, headers });
      assert.deepEqual(await provisionAll(rental, support), placed.json.serverIds);
      const { json } = await ada.send("GET", `/api/v1/servers/${placed.json.serverIds[0]}`);
      assert.equal(json.state, "ACTIVE");
      assert.equal(json.assignments.length, 2);
    });

    test("of 40 concurrent completions and failures by two operators, one succeeds and 39 get 409", async () => {
      const { workId } = await queueAction(rental.core, await rental.customer(0));
      const admin = await rental.operator("admin");
      await step(admin, workId, "claim");
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, index) => {
          const by = index % 4 < 2 ? admin : support;
          return index % 2 === 0
            ? step(by, workId, "complete", {})
            : step(by, workId, "fail", { reason: "No." });
        }),
      );
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
      assert.equal(answers.filter((answer) => codeOf(answer) === "conflict").length, 39);
    });

    test("invalid input is 400, names the field, and leaves the item unchanged", async () => {
      const { workId } = await queueAction(rental.core, await rental.customer(0));
      await step(support, workId, "claim");
      const bodies: readonly [string, unknown, string][] = [
        ["complete", { note: 5 }, "note"],
        ["complete", { note: "x".repeat(2_001) }, "note"],
        ["complete", { note: "a\u0000b" }, "note"],
        ["complete", { price: 1 }, "price"],
        ["complete", { hostname: "web-1" }, "hostname"],
        ["complete", { transactionId: "a b" }, "transactionId"],
        ["complete", { transactionId: "" }, "transactionId"],
        ["complete", { quoteUsd: true }, "quoteUsd"],
        ["complete", { hostname: null }, "hostname"],
        ["fail", {}, "reason"],
        ["fail", { reason: "" }, "reason"],
        ["fail", { reason: "x".repeat(501) }, "reason"],
        ["fail", { reason: "No.", note: "No." }, "note"],
        ["fail", { reason: "No.", machineState: "ASSIGNED" }, "machineState"],
        ["fail", { reason: "No.", machineState: null }, "machineState"],
      ];
      for (const [verb, body, field] of bodies) {
        const answer = await step(support, workId, verb, body);
        assert.deepEqual([answer.status, codeOf(answer)], [400, "validation_failed"], answer.text);
        assert.deepEqual(fieldsOf(answer), [field]);
      }
      for (const [query, field] of [
        ["kind=NOTHING", "kind"],
        ["state=open", "state"],
        [`after=${"x".repeat(65)}`, "after"],
        ["page=2", "page"],
      ] as const) {
        const answer = await support.send("GET", `${work}?${query}`);
        assert.deepEqual([answer.status, fieldsOf(answer)], [400, [field]], query);
      }
      assert.equal(codeOf(await support.send("GET", `${work}/wrk_nothing`)), "not_found");
      assert.equal(codeOf(await step(support, "wrk_nothing", "claim")), "not_found");
      assert.equal(
        codeOf(await support.send("POST", `${work}/${workId}/complete`)),
        "unsupported_media_type",
      );
      assert.equal((await support.send("GET", `${work}/${workId}`)).json.state, "CLAIMED");
    });

    test("every invariant holds after these tests", () => rental.assertInvariants());
  });
});
