import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { limits } from "@ironlease/contract";
import type { Core } from "#kernel/core.ts";
import { register, testClient } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import { runOverlapping } from "#test/lock-waits.ts";
import { startTestService, type TestService } from "#test/service.ts";
import { codeOf as useCaseCodeOf } from "#test/use-cases.ts";
import { addSshKey } from "./add-ssh-key.ts";

const path = "/api/v1/ssh-keys";
const publicKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ada@example";

forEachEngine((engine) => {
  describe("SSH keys", () => {
    let service: TestService;
    before(async () => {
      service = await startTestService(engine);
    });
    after(() => service.close());

    test("are saved with their fingerprint, listed and removed", async () => {
      const ada = await service.register();
      const { status, json } = await ada.send("POST", path, {
        body: { name: "laptop", publicKey: `  ${publicKey}\n` },
      });
      assert.equal(status, 201);
      assert.deepEqual(Object.keys(json), ["id", "name", "publicKey", "fingerprint", "createdAt"]);
      assert.equal(json.publicKey, publicKey);
      assert.match(json.fingerprint, /^SHA256:[A-Za-z0-9+/]{43}$/);
      assert.deepEqual((await ada.send("GET", path)).json, { sshKeys: [json] });
      assert.equal((await ada.send("DELETE", `${path}/${json.id}`)).status, 204);
      assert.deepEqual((await ada.send("GET", path)).json, { sshKeys: [] });
      assert.equal((await ada.send("DELETE", `${path}/${json.id}`)).status, 404);
    });

    test("text that is not a single public key is 400 with the field", async () => {
      const ada = await service.register();
      for (const bad of [
        "",
        "ssh-ed25519",
        `${publicKey}\n${publicKey}`,
        `no-pty ${publicKey}`,
        "x".repeat(9000),
      ]) {
        const answer = await ada.send("POST", path, { body: { name: "bad", publicKey: bad } });
        assert.equal(codeOf(answer), "validation_failed", bad.slice(0, 40));
        assert.equal(answer.json.error.fields[0].field, "publicKey");
      }
    });

    test("the 51st key is 409 limit_reached, even among 60 concurrent requests", async () => {
      const ada = await service.register();
      const answers = await Promise.all(
        Array.from({ length: 60 }, () =>
          ada.send("POST", path, { body: { name: "many", publicKey } }),
        ),
      );
      assert.equal(answers.filter((answer) => answer.status === 201).length, 50);
      assert.equal(answers.filter((answer) => codeOf(answer) === "limit_reached").length, 10);
      const eve = await service.register();
      const another = await eve.send("POST", path, { body: { name: "first", publicKey } });
      assert.equal(another.status, 201, "other accounts' keys do not count");
    });

    test("of two requests that count the keys at once, one saves the last", async () => {
      const { core } = service;
      const { accountId } = await register(core, "counting");
      const call = { accountId, client: testClient };
      const add = (own: Core) => useCaseCodeOf(addSshKey(own, call, { name: "many", publicKey }));
      for (let saved = 1; saved < limits.sshKeysPerAccount; saved += 1) await add(core);
      assert.deepEqual(await runOverlapping(core, 2, add), ["ok", "limit_reached"]);
    });

    test("another account's key and an unknown one get the same 404", async () => {
      const [ada, eve] = [await service.register(), await service.register()];
      const { json } = await ada.send("POST", path, { body: { name: "mine", publicKey } });
      const foreign = await eve.send("DELETE", `${path}/${json.id}`);
      const unknown = await eve.send("DELETE", `${path}/ssh_01hzzzzzzzzzzzzzzzzzzzzzzz`);
      assert.equal(foreign.status, 404);
      delete foreign.json.error.requestId;
      delete unknown.json.error.requestId;
      assert.deepEqual(foreign.json, unknown.json);
    });
  });
});
