import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { mailerFor, mailPassword, startMailServer, type MailServer } from "#test/mail-server.ts";
import { MailUnavailable, type Mail, type Mailer } from "#ports/mail.ts";
import { findFreePort } from "#test/free-port.ts";

const mail: Mail = {
  id: "mai_1",
  to: "ada@example.com",
  subject: "You have a new message",
  text: "Hello ada,\n\nread it.",
  html: "<p>Hello ada</p>",
  unsubscribeUrl: "https://rent.example/security",
};

describe("the SMTP mailer", () => {
  let server: MailServer;
  let mailer: Mailer;
  before(async () => {
    server = await startMailServer();
    mailer = mailerFor(server.port, { caFile: server.caFile });
  });
  after(() => server.close());

  test("sends text and HTML over STARTTLS after signing in", async () => {
    assert.equal(await mailer.send(mail), "SENT");
    const sent = server.received.at(-1);
    assert.equal(sent?.to, mail.to);
    assert.equal(sent?.text.trim().replaceAll("\r\n", "\n"), mail.text);
    assert.equal(sent?.html.trim(), mail.html);
    assert.match(sent.headers, /^From: Rent Example <no-reply@rent\.example>/m);
    assert.match(sent.headers, /^Message-ID: <mai_1@rent\.example>/m);
    assert.match(sent.headers, /^List-Unsubscribe: <https:\/\/rent\.example\/security>/m);
    assert.match(sent.headers, /^Auto-Submitted: auto-generated/m);
    await mailer.check();
  });

  test("a line break in a subject or address starts no new header and adds no recipient", async () => {
    const subject = "Hello\r\nBcc: eve@example.com\r\n\r\nbody";
    assert.equal(await mailer.send({ ...mail, subject }), "SENT");
    const sent = server.received.at(-1);
    assert.equal(sent?.to, mail.to);
    assert.doesNotMatch(sent.headers, /^Bcc:/m);
    const count = server.received.length;
    const to = "ada@example.com>\r\nRCPT TO:<eve@example.com";
    assert.equal(await mailer.send({ ...mail, to }), "ADDRESS_REFUSED");
    assert.equal(server.received.length, count);
  });

  test("a temporary refusal defers the mail, a final one ends the mail or the address", async () => {
    const answers = [];
    for (const refusals of [{ recipient: 450 }, { recipient: 550 }, { data: 451 }, { data: 554 }]) {
      Object.assign(server.refusals, { recipient: undefined, data: undefined, ...refusals });
      answers.push(await mailer.send(mail));
    }
    Object.assign(server.refusals, { recipient: undefined, data: undefined });
    assert.deepEqual(answers, ["DEFERRED", "ADDRESS_REFUSED", "DEFERRED", "MAIL_REFUSED"]);
  });

  test("a server that is down, a wrong password and an unknown certificate send nothing and reveal nothing", async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "ironlease-mail-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const [passwordFile, otherCa] = [join(folder, "password"), join(folder, "ca.pem")];
    writeFileSync(passwordFile, "not the password\n");
    writeFileSync(otherCa, "");
    const { caFile } = server;
    const broken = [
      mailerFor(await findFreePort(), { caFile }),
      mailerFor(server.port, { caFile, passwordFile }),
      mailerFor(server.port, { caFile: otherCa }),
      mailerFor(server.port, { caFile, passwordFile: join(folder, "missing") }),
    ];
    for (const mailer of broken) {
      for (const attempt of [mailer.send(mail), mailer.check()]) {
        await assert.rejects(attempt, (error) => {
          assert.ok(error instanceof MailUnavailable, String(error));
          assert.doesNotMatch(error.message, /ada@|password\b(?!\))|s3cret/);
          return true;
        });
      }
    }
    writeFileSync(passwordFile, `${mailPassword}\n`);
    assert.equal(await mailerFor(server.port, { caFile, passwordFile }).send(mail), "SENT");
  });
});
