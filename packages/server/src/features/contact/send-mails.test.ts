import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import type { EventType } from "@ironlease/contract";
import { recordEvent, type EventData } from "#kernel/outbox/record-event.ts";
import type { Core } from "#kernel/core.ts";
import { MailUnavailable, type Mailer } from "#ports/mail.ts";
import { ok } from "#kernel/result.ts";
import { createTestCore, register, testClient, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeIn, startMailServer, type MailServer } from "#test/mail-server.ts";
import { valueOf } from "#test/use-cases.ts";
import { confirmContact } from "./confirm-contact.ts";
import { sendMails } from "./send-mails.ts";
import { setContact } from "./set-contact.ts";

const minute = 60_000;
const hour = 60 * minute;

forEachEngine((engine) => {
  describe("sending mail", () => {
    let opened: TestCore;
    let server: MailServer;
    before(async () => {
      server = await startMailServer();
      opened = await createTestCore(engine, { mail: server.route });
    });
    after(async () => {
      await opened.dispose();
      await server.close();
    });
    beforeEach(() => {
      Object.assign(server.refusals, { recipient: undefined, data: undefined });
      server.received.length = 0;
    });

    /** A customer with a confirmed address, and a way to record an event of theirs. */
    async function customer() {
      const { core } = opened;
      const { accountId, username } = await register(core);
      const call = { accountId, client: testClient };
      const email = `${username}@example.com`;
      await valueOf(setContact(core, call, { email }));
      await sendMails(core);
      await valueOf(confirmContact(core, call, codeIn(server.received.at(-1))));
      await sendMails(core);
      server.received.length = 0;
      const happens = (type: EventType, data: EventData = {}) =>
        core.db.write(async (tx) => {
          await recordEvent({ tx, core }, { accountId, type, data });
          return ok();
        });
      return { accountId, email, happens };
    }

    const withMailer = (core: Core, mailer: Partial<Mailer>): Core => ({
      ...core,
      mail: { ...server.route, mailer: { ...server.route.mailer, ...mailer } },
    });

    test("each event becomes one mail that says what happened and nothing confidential", async () => {
      const { email, happens } = await customer();
      const server1 = { serverId: "srv_1", hostname: "web1.example.com" };
      await happens("server.grace", { ...server1, graceUntil: "2026-11-18T09:30:00.000Z" });
      await happens("server.terminated", { serverId: "srv_2", hostname: null });
      const paid = { withdrawalId: "wdr_1", asset: "BTC", usd: 25, transactionId: "tx-secret" };
      await happens("withdrawal.paid", paid);
      await happens("withdrawal.rejected", { withdrawalId: "wdr_2", reason: "a secret reason" });
      await happens("message.received", {
        threadId: "thr_1",
        messageId: "msg_1",
        from: "OPERATOR",
      });
      await happens("session.created", { sessionId: "ses_1", ipAddress: "192.0.2.1" });
      assert.equal((await sendMails(opened.core)).sent, 5);
      assert.equal((await sendMails(opened.core)).sent, 0);
      const { received } = server;
      assert.ok(received.every(({ to }) => to === email));
      const [grace, terminated, , rejected, message] = received;
      assert.match(grace?.text ?? "", /web1\.example\.com.*until 2026-11-18 09:30 UTC/);
      assert.match(terminated?.text ?? "", /srv_2 has ended/);
      assert.match(rejected?.text ?? "", /wdr_2 was rejected/);
      assert.match(message?.html ?? "", /href="https:\/\/rent\.example\/messages\/thr_1"/);
      for (const { source } of received) assert.doesNotMatch(source, /secret/);
    });

    test("what a customer chose cannot become markup or a header", async () => {
      const { happens } = await customer();
      const hostname = `"><script>x</script>\r\nBcc: eve@example.com`;
      await happens("server.terminated", { serverId: "srv_1", hostname });
      assert.equal((await sendMails(opened.core)).sent, 1);
      const [mail] = server.received;
      assert.doesNotMatch(mail?.html ?? "", /<script>/);
      assert.doesNotMatch(mail?.headers ?? "", /^Bcc/m);
    });

    test("instances that send at the same time send each mail once", async () => {
      const { core } = opened;
      const other = await opened.reopen();
      const { happens } = await customer();
      for (let index = 0; index < 6; index += 1)
        await happens("message.received", { threadId: "t" });
      const passes = await Promise.all([sendMails(core), sendMails(other), sendMails(core)]);
      const later = await sendMails(other);
      assert.equal(
        [...passes, later].reduce((sum, { sent }) => sum + sent, 0),
        6,
      );
      assert.equal(server.received.length, 6);
      await other.db.close();
    });

    test("while the server is down, mails wait with growing pauses and then arrive", async () => {
      const { core, clock } = opened;
      const { happens } = await customer();
      await happens("message.received", { threadId: "thr_1" });
      await happens("message.received", { threadId: "thr_2" });
      let calls = 0;
      const down = withMailer(core, {
        send: () => {
          calls += 1;
          return Promise.reject(new MailUnavailable("down"));
        },
      });
      assert.equal((await sendMails(down)).failures.length, 1);
      assert.equal(calls, 1, "the pass ends with the first failure");
      await sendMails(down);
      assert.equal(calls, 2, "the first mail pauses");
      clock.advance(minute);
      await sendMails(down);
      clock.advance(2 * minute);
      assert.equal((await sendMails(core)).sent, 2);
    });

    test("a temporary refusal is tried again for a day, a final one of the mail is not", async () => {
      const { core, clock } = opened;
      const { accountId, happens } = await customer();
      server.refusals.recipient = 450;
      await happens("message.received", { threadId: "thr_1" });
      await sendMails(core);
      clock.advance(minute);
      server.refusals.recipient = undefined;
      assert.equal((await sendMails(core)).sent, 1);

      server.refusals.data = 451;
      await happens("message.received", { threadId: "thr_2" });
      await sendMails(core);
      clock.advance(24 * hour);
      server.refusals.data = undefined;
      assert.equal((await sendMails(core)).dropped, 1);

      server.refusals.data = 554;
      await happens("message.received", { threadId: "thr_3" });
      assert.equal((await sendMails(core)).dropped, 1);
      const { refused_at: refusedAt } = await core.db.read
        .selectFrom("contacts")
        .select("refused_at")
        .where("account_id", "=", accountId)
        .executeTakeFirstOrThrow();
      assert.equal(refusedAt, null, "the address is still good");
    });

    test("a mail whose sender dies is sent again when its lease ends", async () => {
      const { core, clock } = opened;
      const { happens } = await customer();
      await happens("message.received", { threadId: "thr_1" });
      const died = new Error("the process died");
      const dying = withMailer(core, {
        send: async (mail) => {
          await server.route.mailer.send(mail);
          throw died;
        },
      });
      const broken: Core = { ...dying, db: { ...core.db, write: failAfter(core, 2, died) } };
      await assert.rejects(sendMails(broken), died);
      assert.equal((await sendMails(core)).sent, 0, "the lease lasts");
      clock.advance(5 * minute);
      assert.equal((await sendMails(core)).sent, 1);
      const ids = server.received.map(({ headers }) => /^Message-ID: (.*)$/m.exec(headers)?.[1]);
      assert.equal(ids.length, 2);
      assert.equal(new Set(ids).size, 1, "the recipient can recognise the second one");
    });
  });
});

/** Lets the first writes pass and fails the others. */
function failAfter({ db }: Core, count: number, error: Error): Core["db"]["write"] {
  let left = count;
  return (work, violations, owner) => {
    left -= 1;
    return left < 0 ? Promise.reject(error) : db.write(work, violations, owner);
  };
}
