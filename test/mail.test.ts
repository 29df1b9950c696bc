import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { codeIn, mailPassword, startMailServer, type MailServer } from "#test/mail-server.ts";
import { customerOf, password, startTestService, type TestService } from "#test/service.ts";
import { codeOf, type Send } from "#test/https-client.ts";

const newPassword = "another long pass phrase";

forEachEngine((engine) => {
  describe("e-mail to customers", () => {
    let mail: MailServer;
    let service: TestService;
    before(async () => {
      mail = await startMailServer();
      service = await startTestService(engine, {
        settings: { ...mail.settings, IRONLEASE_TRUST_PROXY: "127.0.0.1" },
      });
    });
    after(async () => {
      await service.close();
      await mail.close();
    });

    test("security changes, sign-ins from new networks and messages are mailed, without a secret", async () => {
      const email = "ada@example.com";
      let ada = await service.register("ada");
      const put = await ada.send("PUT", "/api/v1/contact", { body: { email } });
      assert.equal(put.status, 200, put.text);
      const code = codeIn(await mail.mailTo(email, "Confirm your e-mail address"));
      const confirmed = await ada.send("POST", "/api/v1/contact/confirm", { body: { code } });
      assert.equal(confirmed.json.email, email);
      const { offered } = (await ada.send("GET", "/api/v1/contact")).json;
      assert.equal(offered, true);

      const signIn = (address: string, typed = password) =>
        service.send("POST", "/api/v1/auth/login", {
          body: { username: "ada", password: typed },
          headers: { "x-forwarded-for": address },
        });
      for (const address of [
        "198.51.100.7",
        "198.51.100.200",
        "2001:db8:1:2::1",
        "2001:db8:1:3::1",
      ]) {
        ada = customerOf(service.send, await signIn(address), "ada");
      }
      const { json: key } = await ada.send("POST", "/api/v1/api-keys", {
        body: { name: "ci", scope: "read" },
      });
      const operator = await service.operator("support");
      const { accounts } = (
        await (await service.operator("admin")).send("GET", "/operator/v1/accounts?query=ada")
      ).json;
      const text = "The root password is hunter2.";
      const written = await operator.send("POST", "/operator/v1/threads", {
        body: { accountId: accounts[0].id, subject: "Confidential", text },
        headers: { "idempotency-key": "mail-test-1" },
      });
      assert.equal(written.status, 201, written.text);
      await ada.send("POST", "/api/v1/auth/password", {
        body: { currentPassword: password, newPassword },
      });
      const expected = ["An API key was created", "You have a new message"];
      for (const subject of [...expected, "Your password was changed"]) {
        await mail.mailTo(email, subject);
      }
      const signIns = mail.received.filter(({ headers }) => headers.includes("new network"));
      const addresses = signIns.map(({ text }) => / from (\S+) at /.exec(text)?.[1]);
      assert.deepEqual(addresses, ["198.51.100.7", "2001:db8:1:2::1"]);

      const secrets = [key.key, "hunter2", "Confidential", password, newPassword];
      const sent = mail.received.map(({ source }) => source).join("\n");
      for (const secret of secrets) assert.ok(!sent.includes(secret), secret);
      const logged = service.logged.join("\n");
      for (const secret of [
        ...secrets,
        mailPassword,
        encodeURIComponent(mailPassword),
        code,
        email,
      ]) {
        assert.ok(!logged.includes(secret), secret);
      }
    });
  });
});

for (const [where, host] of [
  ["the port that the listener got", undefined],
  ["the first origin", "rent.example"],
] as const) {
  test(`e-mails link to ${where}`, async (t) => {
    const mail = await startMailServer();
    t.after(() => mail.close());
    const origin = host === undefined ? {} : { IRONLEASE_ORIGIN: `https://${host}` };
    const service = await startTestService("sqlite", { settings: { ...mail.settings, ...origin } });
    t.after(() => service.close());
    const send: Send = (method, path, { headers, ...options } = {}) =>
      service.send(method, path, { ...options, headers: { ...(host && { host }), ...headers } });
    const email = "ada@example.com";
    const body = { username: "ada", password };
    const ada = customerOf(send, await send("POST", "/api/v1/auth/register", { body }), "ada");
    const put = await ada.send("PUT", "/api/v1/contact", { body: { email } });
    assert.equal(put.status, 200, put.text);
    const { text, html } = await mail.mailTo(email, "Confirm your e-mail address");
    const link = `${host === undefined ? service.url : `https://${host}`}/security`;
    assert.ok(text.split(/\r?\n/).includes(`Open security settings: ${link}`), text);
    assert.ok(html.includes(`"${link}"`), html);
  });
}

test("without a mail server no address is taken", async (t) => {
  const service = await startTestService("sqlite");
  t.after(() => service.close());
  const ada = await service.register();
  const read = await ada.send("GET", "/api/v1/contact");
  assert.deepEqual([read.json.offered, read.json.email], [false, null]);
  const put = await ada.send("PUT", "/api/v1/contact", { body: { email: "ada@example.com" } });
  assert.equal(codeOf(put), "not_found");
});
