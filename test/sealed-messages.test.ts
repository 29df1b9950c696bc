import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { limits } from "@ironlease/contract";
import { sealText } from "@ironlease/age/seal";
import type { SignedInOperator } from "#test/operators.ts";
import { startTestService, type Customer, type TestService } from "#test/service.ts";
import { newSshKey } from "#test/ssh-keys.ts";

// One engine is enough, because features/threads runs on both.
describe("sealed messages over HTTPS", () => {
  const { publicKey } = newSshKey();
  let service: TestService;
  let ada: Customer;
  let operator: SignedInOperator;
  let path: string;
  let keys = 0;
  const keyed = (body: object) => ({
    body,
    headers: { "idempotency-key": `sealed-${(keys += 1)}` },
  });
  before(async () => {
    service = await startTestService("sqlite");
    ada = await service.register();
    operator = await service.operator("support");
    await ada.send("POST", "/api/v1/ssh-keys", { body: { name: "laptop", publicKey } });
    const request = keyed({ subject: "Console", text: "Please send a KVM link." });
    path = `threads/${(await ada.send("POST", "/api/v1/threads", request)).json.id}`;
  });
  after(() => service.close());

  test("both sides read the ciphertext, the fingerprint and the expiry, and null on plain messages", async () => {
    const { sshKeys } = (await operator.send("GET", `/operator/v1/${path}`)).json;
    const [{ fingerprint }] = sshKeys;
    const type = "ssh-ed25519";
    const key = { name: "laptop", serverId: null, publicKey, type, fingerprint, sealable: true };
    assert.deepEqual(sshKeys, [key]);

    const longest = "é".repeat(limits.messageBytes / 2);
    const ciphertext = await sealText(longest, publicKey);
    const expiresAt = new Date(service.clock.now() + 3_600_000).toISOString();
    const sealed = { ciphertext, fingerprint, expiresAt };
    const sent = await operator.send("POST", `/operator/v1/${path}/messages`, keyed({ sealed }));
    assert.equal(sent.status, 201, sent.text);
    assert.deepEqual(sent.json.sealed, sealed);
    const own = (await ada.send("GET", `/api/v1/${path}`)).json;
    assert.deepEqual(
      own.messages.map((message: { sealed: unknown }) => message.sealed),
      [null, sealed],
    );
    const atDesk = (await operator.send("GET", `/operator/v1/${path}`)).json;
    assert.deepEqual(atDesk.messages[1].sealed, sealed);
  });

  test("400 names the field that is too long, missing, malformed or unknown", async () => {
    const fingerprint = `SHA256:${"A".repeat(43)}`;
    const good = { ciphertext: "x", fingerprint };
    for (const [sealed, field] of [
      [{ ...good, ciphertext: "x".repeat(limits.sealedTextLength + 1) }, "sealed.ciphertext"],
      [{ fingerprint }, "sealed.ciphertext"],
      [{ ...good, fingerprint: "MD5:00" }, "sealed.fingerprint"],
      [{ ...good, expiresAt: 1 }, "sealed.expiresAt"],
      [{ ...good, text: "secret" }, "sealed.text"],
      ["secret", "sealed"],
    ] as const) {
      const answer = await operator.send(
        "POST",
        `/operator/v1/${path}/messages`,
        keyed({ sealed }),
      );
      assert.equal(answer.status, 400);
      assert.equal(answer.json.error.fields[0].field, field);
      assert.ok(!answer.text.includes("secret"));
    }
  });
});
