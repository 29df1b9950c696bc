import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { rateLimits } from "@ironlease/contract";
import { createTestCore, register, testClient, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeIn, startMailServer, type MailServer } from "#test/mail-server.ts";
import { codeOf, valueOf } from "#test/use-cases.ts";
import { tellContact } from "#kernel/mails.ts";
import type { SubscribedMailKind } from "@ironlease/contract";
import { ok } from "#kernel/result.ts";
import { confirmContact } from "./confirm-contact.ts";
import { readContact } from "./contact-record.ts";
import { removeContact } from "./remove-contact.ts";
import { sendMails } from "./send-mails.ts";
import { setContact } from "./set-contact.ts";

const minute = 60_000;
const hour = 60 * minute;

forEachEngine((engine) => {
  describe("contact", () => {
    let opened: TestCore;
    let server: MailServer;
    before(async () => {
      server = await startMailServer();
      opened = await createTestCore(engine, { mail: server.route, rules: { rateLimits } });
    });
    after(async () => {
      await opened.dispose();
      await server.close();
    });
    beforeEach(async () => {
      Object.assign(server.refusals, { recipient: undefined, data: undefined });
      opened.clock.advance(2 * hour);
      await sendMails(opened.core);
      server.received.length = 0;
    });

    /** A new customer and what they can do. */
    async function customer() {
      const { core } = opened;
      const { accountId, username } = await register(core);
      const call = { accountId, client: testClient };
      const email = `${username}@example.com`;
      const set = (to = email, unsubscribed?: readonly SubscribedMailKind[]) =>
        setContact(core, call, { email: to, unsubscribed });
      const confirm = (code: string) => confirmContact(core, call, code);
      const tell = () =>
        core.db.write(async (tx) => {
          const detail = { threadId: "thr_1" };
          const notice = { kind: "MESSAGES", topic: "message.received", detail } as const;
          await tellContact({ tx, core }, accountId, notice);
          return ok();
        });
      const confirmed = async (to = email) => {
        await valueOf(set(to));
        await valueOf(confirm(await codeTo(to)));
        await sendMails(core);
        server.received.length = 0;
      };
      const read = () => readContact(core, accountId);
      return { accountId, call, email, set, confirm, tell, confirmed, read };
    }

    /** Sends what waits and reads the code from the last mail to the address. */
    async function codeTo(email: string): Promise<string> {
      await sendMails(opened.core);
      return codeIn(server.received.findLast(({ to }) => to === email));
    }

    const sentTo = async () => {
      await sendMails(opened.core);
      return server.received.map(({ to, headers }) => [to, /^Subject: (.*)$/m.exec(headers)?.[1]]);
    };

    test("an unconfirmed address gets its code and nothing else", async () => {
      const ada = await customer();
      const { pending } = await valueOf(ada.set());
      assert.equal(pending?.email, ada.email);
      await ada.tell();
      assert.deepEqual(await sentTo(), [[ada.email, "Confirm your e-mail address"]]);
      const code = await codeTo(ada.email);
      assert.match(server.received[0]?.html ?? "", new RegExp(code));
      const stored = await opened.core.db.read.selectFrom("mails").selectAll().execute();
      assert.ok(!JSON.stringify(stored).includes(code), "the database does not reveal the code");

      assert.equal(await codeOf(ada.confirm("WRONG-WRONG")), "invalid_credentials");
      const typed = ` ${code.toLowerCase().replace("-", " ")}`;
      const { email, pending: none } = await valueOf(ada.confirm(typed));
      assert.deepEqual([email, none], [ada.email, null]);
      assert.equal(await codeOf(ada.confirm(code)), "conflict", "a code works once");
      await ada.tell();
      assert.deepEqual((await sentTo()).slice(1), [
        [ada.email, "Your e-mail address was changed"],
        [ada.email, "You have a new message"],
      ]);
    });

    test("a code expires after an hour, and its mail is not sent any more", async () => {
      const ada = await customer();
      await valueOf(ada.set());
      const code = await codeTo(ada.email);
      opened.clock.advance(hour);
      assert.equal(await codeOf(ada.confirm(code)), "conflict");
      assert.equal((await ada.read()).pending, null);
      server.received.length = 0;
      await valueOf(ada.set());
      opened.clock.advance(hour);
      assert.deepEqual(await sentTo(), []);
    });

    test("attempts and codes are limited, the codes of one address for all accounts together", async () => {
      const [ada, eve] = [await customer(), await customer()];
      for (let sent = 0; sent < rateLimits.contactCodes.count; sent += 1) {
        await valueOf(ada.set("victim@example.com"));
      }
      assert.equal(await codeOf(ada.set(ada.email)), "rate_limited");
      assert.equal(await codeOf(eve.set("victim@example.com")), "rate_limited");
      for (let wrong = 0; wrong < rateLimits.contactConfirmations.count; wrong += 1) {
        assert.equal(await codeOf(ada.confirm(`WRONG-${wrong}`)), "invalid_credentials");
      }
      assert.equal(await codeOf(ada.confirm(await codeTo("victim@example.com"))), "rate_limited");
    });

    test("a new address replaces the old one only when confirmed, and the old one gets a mail about it", async () => {
      const ada = await customer();
      await ada.confirmed();
      const other = `new-${ada.email}`;
      await valueOf(ada.set(other));
      await ada.tell();
      const code = await codeTo(other);
      assert.deepEqual(
        (await sentTo()).map(([to]) => to),
        [other, ada.email],
      );
      server.received.length = 0;
      await valueOf(ada.confirm(code));
      assert.deepEqual(await sentTo(), [
        [ada.email, "Your e-mail address was changed"],
        [other, "Your e-mail address was changed"],
      ]);
      assert.ok(server.received.every(({ source }) => !source.includes(code)));
    });

    test("unsubscribing stops one kind, even of mails that wait, and needs no code", async () => {
      const ada = await customer();
      await ada.confirmed();
      await ada.tell();
      const { unsubscribed, pending } = await valueOf(ada.set(ada.email, ["MESSAGES", "MESSAGES"]));
      assert.deepEqual([unsubscribed, pending], [["MESSAGES"], null]);
      await ada.tell();
      assert.deepEqual(await sentTo(), []);
      assert.equal(await codeOf(ada.set(ada.email)), "ok");
      assert.deepEqual((await ada.read()).unsubscribed, ["MESSAGES"], "left out, it stays");
      await valueOf(ada.set(ada.email, []));
      await ada.tell();
      assert.deepEqual(await sentTo(), [[ada.email, "You have a new message"]]);
      assert.match(server.received[0]?.headers ?? "", /^List-Unsubscribe: </m);
    });

    test("removing the contact tells it once and then sends nothing", async () => {
      const ada = await customer();
      assert.equal(await codeOf(removeContact(opened.core, ada.call)), "not_found");
      await ada.confirmed();
      await ada.tell();
      await valueOf(removeContact(opened.core, ada.call));
      await ada.tell();
      assert.deepEqual(await sentTo(), [[ada.email, "Your e-mail address was removed"]]);
      assert.doesNotMatch(server.received[0]?.headers ?? "", /^List-Unsubscribe/m);
      assert.equal((await ada.read()).email, null);
    });

    test("an address that the server refuses for good gets nothing until it is confirmed again", async () => {
      const ada = await customer();
      await ada.confirmed();
      server.refusals.recipient = 550;
      await ada.tell();
      assert.equal((await sendMails(opened.core)).dropped, 1);
      assert.notEqual((await ada.read()).refusedAt, null);
      server.refusals.recipient = undefined;
      await ada.tell();
      assert.deepEqual(await sentTo(), []);
      await ada.confirmed();
      assert.equal((await ada.read()).refusedAt, null);
      await ada.tell();
      assert.deepEqual(await sentTo(), [[ada.email, "You have a new message"]]);
    });

    test("an account gets at most 50 mails of a kind in a day", async () => {
      const ada = await customer();
      await ada.confirmed();
      for (let told = 0; told < 51; told += 1) await ada.tell();
      const count = () =>
        opened.core.db.read
          .selectFrom("mails")
          .select("id")
          .where("account_id", "=", ada.accountId)
          .where("kind", "=", "MESSAGES")
          .execute();
      assert.equal((await count()).length, 50);
      await valueOf(removeContact(opened.core, ada.call));
    });

    test("an invalid address is refused", async () => {
      const ada = await customer();
      const bad = ["a", "a@b", "a@b@c.example", "a b@c.example", "a@[192.0.2.1]", "a,b@c.example"];
      for (const email of [
        ...bad,
        "a@c.example\r\nBcc: x@y.example",
        "<a@c.example>",
        ".a@c.example",
      ]) {
        assert.equal(await codeOf(ada.set(email)), "validation_failed", email);
      }
    });
  });
});
