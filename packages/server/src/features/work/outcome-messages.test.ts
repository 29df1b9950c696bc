import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, type TestCore } from "#test/core.ts";
import { completionOf, queueAction, queueReclaim, queueWorkOf, type Queued } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { messagesOf } from "#test/threads.ts";
import { codeOf, valueOf } from "#test/use-cases.ts";
import { claimWork, completeWork, failWork } from "#test/work.ts";
import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/call.ts";

const note = "Checked by hand.";

forEachEngine((engine) => {
  describe("the outcome of work", () => {
    let testCore: TestCore;
    let core: Core;
    let ada: OperatorCall;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      ada = await operatorCall(core, "finance");
    });
    after(() => testCore.dispose());

    const complete = async ({ workId }: Queued, input: object) => {
      await valueOf(claimWork(core, ada, workId));
      await valueOf(completeWork(core, ada, workId, { ...input, note }));
    };
    const fail = async ({ workId }: Queued) => {
      await valueOf(claimWork(core, ada, workId));
      await valueOf(failWork(core, ada, workId, { reason: note }));
    };

    const expected = {
      PROVISION: [
        /^Delivery: done\. Host name web-1\. Addresses: 10\./,
        /^Delivery: not possible\./,
      ],
      SERVER_ACTION: [/^Reboot: done\./, /^Reboot: not carried out\./],
      DDOS: [/^DDoS mode ADVANCED: applied\./, /^DDoS mode ADVANCED: not applied\./],
      WITHDRAWAL: [
        /^Withdrawal of 123\.45 USD in ETH to 0x5aAeb.*: paid\. Transaction 0xfeed/,
        /^Withdrawal of 123\.45 USD in ETH to 0x5aAeb.*: rejected\./,
      ],
    } as const;
    for (const kind of ["PROVISION", "SERVER_ACTION", "DDOS", "WITHDRAWAL"] as const) {
      test(`${kind}: the customer reads what was asked, the result and the operator's note`, async () => {
        for (const [index, end] of [
          (item: Queued) => complete(item, completionOf[kind]),
          fail,
        ].entries()) {
          const item = await queueWorkOf[kind](core);
          await end(item);
          const [message, ...others] = await messagesOf(core, item.accountId);
          const [serverId, sender, text = ""] = message ?? [];
          assert.deepEqual(others, []);
          assert.deepEqual(
            [serverId, sender],
            [kind === "WITHDRAWAL" ? null : item.subjectId, "OPERATOR"],
          );
          assert.match(text, expected[kind][index] ?? /^$/);
          assert.ok(text.endsWith(`\n\n${note}`), text);
        }
      });
    }

    test("PROVISION: a host name of the greatest length does not stop the delivery", async () => {
      const item = await queueWorkOf.PROVISION(core);
      const hostname = `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(61)}`;
      await complete(item, { hostname });
      const [message] = await messagesOf(core, item.accountId);
      assert.ok(message?.[2]?.includes(hostname));
    });

    test("RECLAIM: tells nothing, because no customer asked for it", async () => {
      const item = await queueReclaim(core);
      await complete(item, {});
      assert.deepEqual(await messagesOf(core, item.accountId), []);
    });

    test("a second outcome of a server goes to the same thread, which opens again", async () => {
      const first = await queueAction(core);
      await complete(first, {});
      const { db } = core;
      const threads = db.read.selectFrom("threads").selectAll();
      const read = () => threads.where("account_id", "=", first.accountId).execute();
      const [thread] = await read();
      await db.write(async (tx) => {
        await tx
          .updateTable("threads")
          .set({ state: "CLOSED" })
          .where("id", "=", thread?.id ?? "")
          .execute();
        return { ok: true, value: undefined };
      });
      await db.write(async (tx) => {
        await tx
          .updateTable("work")
          .set({ state: "OPEN", claimed_by: null })
          .where("id", "=", first.workId)
          .execute();
        return { ok: true, value: undefined };
      });
      await fail(first);
      const after = await read();
      assert.deepEqual(
        after.map((row) => [row.id, row.state, row.customer_unread, row.operator_unread]),
        [[thread?.id, "OPEN", 2, 0]],
      );
    });

    test("an end that is refused tells nothing", async () => {
      const item = await queueAction(core);
      assert.equal(await codeOf(completeWork(core, ada, item.workId, { note })), "conflict");
      assert.deepEqual(await messagesOf(core, item.accountId), []);
    });

    test("if the message cannot be stored, the item does not end either", async () => {
      const item = await queueAction(core);
      await valueOf(claimWork(core, ada, item.workId));
      // Longer than the request's schema allows, so that only the table's constraint refuses it.
      const tooLong = { note: "x".repeat(9_000) };
      await assert.rejects(completeWork(core, ada, item.workId, tooLong));
      const work = core.db.read.selectFrom("work").select("state").where("id", "=", item.workId);
      assert.equal((await work.executeTakeFirstOrThrow()).state, "CLAIMED");
      assert.deepEqual(await messagesOf(core, item.accountId), []);
    });
  });
});
