import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { limits, rateLimits } from "@ironlease/contract";
import { createTestCore, register, testClient, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { seedServer } from "#test/rental.ts";
import { operatorCall } from "#test/operators.ts";
import { messagesOf } from "#test/threads.ts";
import { codeOf, fieldsOf, freshKey, intentOf, valueOf } from "#test/use-cases.ts";
import type { CustomerCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { answerThread } from "./answer-thread.ts";
import { closeForCustomer, closeThread, readUpTo } from "./end-thread.ts";
import { listThreads } from "./list-threads.ts";
import { startThread } from "./open-thread.ts";
import { readThread } from "./read-thread.ts";
import { sendMessage } from "./send-message.ts";

forEachEngine((engine) => {
  describe("threads of a customer", () => {
    let testCore: TestCore;
    let core: Core;
    before(async () => {
      testCore = await createTestCore(engine, { rules: { rateLimits } });
      ({ core } = testCore);
    });
    after(() => testCore.dispose());

    const newCustomer = async (): Promise<CustomerCall> => {
      const { accountId } = await register(core);
      return { accountId, client: testClient };
    };
    type Start = Parameters<typeof startThread>[2];
    const start = (call: CustomerCall, input: Partial<Start> = {}, key = freshKey()) =>
      startThread(
        core,
        { ...call, intent: intentOf("openThread", key) },
        { subject: "Disk", text: "Please check it.", ...input },
      );
    const send = (call: CustomerCall, threadId: string, text = "Any news?", key = freshKey()) =>
      sendMessage(core, { ...call, intent: intentOf("sendMessage", key) }, { threadId, text });
    const started = async (call: CustomerCall, input: Partial<Start> = {}) =>
      (await valueOf(start(call, input))).body.thread.id;
    const threadOf = async ({ accountId }: CustomerCall, id: string) =>
      (await valueOf(readThread(core, accountId, id))).thread;

    test("a key posts one message and replays its answer, and another text is a conflict", async () => {
      const ada = await newCustomer();
      const key = freshKey();
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => valueOf(start(ada, {}, key))),
      );
      assert.equal(new Set(answers.map(({ body }) => body.thread.id)).size, 1);
      assert.equal(answers.filter(({ replayed }) => !replayed).length, 1);
      assert.equal(await codeOf(start(ada, { text: "Other." }, key)), "idempotency_conflict");
      assert.deepEqual(await messagesOf(core, ada.accountId), [
        [null, "CUSTOMER", "Please check it."],
      ]);
    });

    test("each server has one thread, even when customer and operators write at the same time", async () => {
      const ada = await newCustomer();
      const { id: serverId } = await seedServer(core, ada.accountId);
      const ids = await Promise.all(
        Array.from({ length: 6 }, (_, at) => started(ada, { serverId, subject: `Disk ${at}` })),
      );
      assert.equal(new Set(ids).size, 1);
      const [thread, ...others] = await listThreads(core, ada.accountId);
      assert.deepEqual(others, []);
      assert.equal(thread?.serverId, serverId);
      assert.match(thread?.subject ?? "", /^Disk \d$/);
    });

    test("another account's thread and server are not found, and nothing is written there", async () => {
      const [ada, eve] = [await newCustomer(), await newCustomer()];
      const { id: serverId } = await seedServer(core, ada.accountId);
      const id = await started(ada, { serverId });
      assert.equal(await codeOf(readThread(core, eve.accountId, id)), "not_found");
      assert.equal(await codeOf(send(eve, id)), "not_found");
      assert.equal(await codeOf(closeThread(core, eve, id)), "not_found");
      assert.equal(await codeOf(readUpTo(core, eve, id)), "not_found");
      assert.equal(await codeOf(start(eve, { serverId })), "not_found");
      assert.deepEqual(await listThreads(core, eve.accountId), []);
      assert.equal((await threadOf(ada, id)).state, "OPEN");
      assert.equal((await messagesOf(core, ada.accountId)).length, 1);
    });

    test("unread counts each side's messages until it reads or answers them", async () => {
      const ada = await newCustomer();
      const support = await operatorCall(core, "support");
      const id = await started(ada);
      await valueOf(send(ada, id));
      const unreadAtDesk = async () => {
        const query = core.db.read.selectFrom("threads").select("operator_unread");
        return (await query.where("id", "=", id).executeTakeFirstOrThrow()).operator_unread;
      };
      assert.deepEqual([(await threadOf(ada, id)).unread, await unreadAtDesk()], [0, 2]);
      for (const text of ["One moment.", "Replaced."]) {
        const intent = intentOf("answerThread");
        await valueOf(answerThread(core, { ...support, intent }, { threadId: id, text }));
      }
      assert.deepEqual([(await threadOf(ada, id)).unread, await unreadAtDesk()], [2, 0]);
      await valueOf(readUpTo(core, ada, id));
      assert.equal((await threadOf(ada, id)).unread, 0);
      await valueOf(send(ada, id, "Thanks."));
      await valueOf(closeForCustomer(core, support, id));
      const closed = await threadOf(ada, id);
      assert.deepEqual([closed.state, await unreadAtDesk()], ["CLOSED", 0]);
      await valueOf(send(ada, id, "Not yet."));
      assert.equal((await threadOf(ada, id)).state, "OPEN");
    });

    test("text is limited in UTF-8 bytes and must not be blank", async () => {
      const ada = await newCustomer();
      const { messageBytes } = limits;
      const id = await started(ada, { text: "é".repeat(messageBytes / 2) });
      for (const text of ["é".repeat(messageBytes / 2) + "x", " \n\t"]) {
        assert.equal((await fieldsOf(send(ada, id, text)))?.[0]?.field, "text");
        assert.equal((await fieldsOf(start(ada, { text })))?.[0]?.field, "text");
      }
      assert.equal((await fieldsOf(start(ada, { subject: " " })))?.[0]?.field, "subject");
      assert.equal((await messagesOf(core, ada.accountId)).length, 1);
    });

    test("20 threads can be open, and closing one makes room; a server's thread does not count", async () => {
      const ada = await newCustomer();
      const { id: serverId } = await seedServer(core, ada.accountId);
      const opening = Array.from({ length: limits.openThreadsPerAccount + 4 }, () => start(ada));
      const opened = (await Promise.all(opening)).flatMap((result) =>
        result.ok ? [result.value.body.thread.id] : [],
      );
      assert.equal(opened.length, limits.openThreadsPerAccount);
      assert.equal(await codeOf(start(ada)), "limit_reached");
      await started(ada, { serverId });
      const [first = ""] = opened;
      await valueOf(closeThread(core, ada, first));
      await started(ada);
      assert.equal(await codeOf(send(ada, first)), "limit_reached");
    });

    test("the 101st message of a day is rate_limited, and the next day it is accepted", async () => {
      const ada = await newCustomer();
      const id = await started(ada);
      const { count, windowSeconds } = rateLimits.messagesPerAccount;
      for (let sent = 1; sent < count; sent += 1) await valueOf(send(ada, id));
      assert.equal(await codeOf(send(ada, id)), "rate_limited");
      assert.equal(await codeOf(start(ada)), "rate_limited");
      assert.equal((await messagesOf(core, ada.accountId)).length, count);
      testCore.clock.advance(windowSeconds * 1000);
      await valueOf(send(ada, id));
      assert.equal((await valueOf(readThread(core, ada.accountId, id))).messages.length, 100);
    });
  });
});
