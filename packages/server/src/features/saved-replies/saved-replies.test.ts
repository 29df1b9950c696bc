import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { limits } from "@ironlease/contract";
import type { OperatorCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { createTestCore, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { codeOf, fieldsOf, valueOf } from "#test/use-cases.ts";
import { listSavedReplies } from "./list-saved-replies.ts";
import { addSavedReply, changeSavedReply, removeSavedReply } from "./save-reply.ts";

forEachEngine((engine) => {
  describe("saved replies", () => {
    let opened: TestCore;
    let core: Core;
    let support: OperatorCall;
    before(async () => {
      opened = await createTestCore(engine);
      core = opened.core;
      support = await operatorCall(core, "support");
    });
    after(() => opened.dispose());

    const add = (name: string, text = "Hello.") => addSavedReply(core, support, { name, text });
    const names = async () => (await listSavedReplies(core)).map(({ name }) => name);

    test("a new installation has four replies, which operators can change and delete", async () => {
      const [first] = await listSavedReplies(core);
      assert.equal((await names()).length, 4);
      const { id } = first ?? assert.fail();
      const changed = { id, name: " Always first ", text: "New text." };
      assert.deepEqual(await valueOf(changeSavedReply(core, support, changed)), {
        ...changed,
        name: "Always first",
      });
      assert.equal(
        (await listSavedReplies(core)).find((reply) => reply.id === id)?.text,
        "New text.",
      );
      await valueOf(removeSavedReply(core, support, id));
      assert.equal(await codeOf(removeSavedReply(core, support, id)), "not_found");
      assert.equal(await codeOf(changeSavedReply(core, support, changed)), "not_found");
      assert.equal((await names()).length, 3);
      const audited = await core.db.read
        .selectFrom("audit")
        .select("action")
        .where("subject", "=", id)
        .orderBy("id")
        .execute();
      assert.deepEqual(
        audited.map(({ action }) => action),
        ["saved_reply.change", "saved_reply.remove"],
      );
    });

    test("names are unique, and empty or long texts are refused", async () => {
      const { id } = await valueOf(add("Backup"));
      assert.equal(await codeOf(add("Backup ")), "conflict");
      const taken = { id, name: "Resolved", text: "x" };
      assert.equal(await codeOf(changeSavedReply(core, support, taken)), "conflict");
      assert.equal((await fieldsOf(add(" ")))?.[0]?.field, "name");
      assert.equal((await fieldsOf(add("Empty", " ")))?.[0]?.field, "text");
      const long = "ü".repeat(limits.messageBytes / 2 + 1);
      assert.equal((await fieldsOf(add("Long", long)))?.[0]?.field, "text");
    });

    test(`at most ${limits.savedReplies} are kept`, async () => {
      for (let count = (await names()).length; count < limits.savedReplies; count += 1) {
        await valueOf(add(`reply ${count}`));
      }
      assert.equal(await codeOf(add("one more")), "limit_reached");
    });
  });
});
