import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openText, readPrivateKey } from "@ironlease/age/open";
import { sealText } from "@ironlease/age/seal";
import { createTestCore, register, testClient, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { seedServer } from "#test/rental.ts";
import { newSshKey, type NewSshKey } from "#test/ssh-keys.ts";
import { codeOf, fieldsOf, freshKey, intentOf, valueOf } from "#test/use-cases.ts";
import type { OperatorCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import { eraseSealedTexts } from "#kernel/sealed-texts.ts";
import { readSshPublicKey } from "#kernel/ssh-public-key.ts";
import { answerThread } from "./answer-thread.ts";
import { startThread } from "./open-thread.ts";
import { readAnyThread } from "./operator-thread.ts";
import { readThread } from "./read-thread.ts";
import type { SealedInput } from "./sealed-message.ts";

const secret = "the root password is quite-a-secret";

forEachEngine((engine) => {
  describe("sealed messages", () => {
    let testCore: TestCore;
    let core: Core;
    let support: OperatorCall;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      support = await operatorCall(core, "support");
    });
    after(() => testCore.dispose());

    const saveKey = (accountId: string, publicKey: string, name = "laptop") =>
      core.db.write(async (tx) => {
        const { fingerprint } = fingerprintOf(publicKey);
        const row = { id: core.ids.next("sshKey"), account_id: accountId, name };
        const values = { ...row, public_key: publicKey, fingerprint, created_at: core.clock.now() };
        await tx.insertInto("ssh_keys").values(values).execute();
        return ok();
      });
    const newThread = async (saved: readonly NewSshKey[], serverId?: string, owner?: string) => {
      const accountId = owner ?? (await register(core)).accountId;
      for (const { publicKey } of saved) await saveKey(accountId, publicKey);
      const call = { accountId, client: testClient, intent: intentOf("openThread") };
      const input = { subject: "Console", text: "Please send a KVM link.", serverId };
      const { body } = await valueOf(startThread(core, call, input));
      return { accountId, threadId: body.thread.id };
    };
    const send = (threadId: string, sealed: SealedInput, key = freshKey()) =>
      answerThread(
        core,
        { ...support, intent: intentOf("answerThread", key) },
        { threadId, sealed },
      );
    const sealedTo = async ({ publicKey }: NewSshKey, more: Partial<SealedInput> = {}) => ({
      ciphertext: await sealText(secret, publicKey),
      ...fingerprintOf(publicKey),
      ...more,
    });
    /** As each sweep does. */
    const erase = () =>
      valueOf(core.db.write(async (tx) => ok(await eraseSealedTexts(tx, core.clock.now(), 10))));
    const lastOf = async (accountId: string, threadId: string) =>
      (await valueOf(readThread(core, accountId, threadId))).messages.at(-1);

    for (const kind of ["ed25519", "rsa"] as const) {
      test(`${kind}: the customer opens what the operator sealed, and the service stores no text`, async () => {
        const key = newSshKey(kind);
        const { accountId, threadId } = await newThread([key]);
        const sealed = await sealedTo(key);
        const { body } = await valueOf(send(threadId, sealed));
        const expected = { ...sealed, expiresAt: null };
        assert.deepEqual(body.sealed, expected);
        const received = await lastOf(accountId, threadId);
        assert.deepEqual(received?.sealed, expected);
        assert.match(
          received?.text ?? "",
          /^Encrypted to your SSH key SHA256:.* ironlease message open\.$/,
        );
        const opened = await openText(sealed.ciphertext, readPrivateKey(key.privateKey));
        assert.equal(opened, secret);
      });
    }

    test("the desk lists the server's key first, then saved keys, and says which ones age can use", async () => {
      const [first, second, third, ecdsa] = [
        newSshKey(),
        newSshKey(),
        newSshKey(),
        newSshKey("ecdsa"),
      ];
      const { accountId } = await register(core);
      const server = await seedServer(core, accountId, { sshPublicKey: first.publicKey });
      await seedServer(core, accountId, { sshPublicKey: second.publicKey });
      await seedServer(core, accountId, { sshPublicKey: third.publicKey });
      const ended = newSshKey();
      await seedServer(core, accountId, { sshPublicKey: ended.publicKey, state: "TERMINATED" });
      const { threadId } = await newThread([ecdsa, third], server.id, accountId);
      const { sshKeys } = await valueOf(readAnyThread(core, threadId));
      assert.deepEqual(
        sshKeys.map(({ publicKey, serverId, sealable }) => [
          publicKey,
          serverId !== null,
          sealable,
        ]),
        [
          [first.publicKey, true, true],
          ...[third, ecdsa].map(({ publicKey }) => [
            publicKey,
            false,
            publicKey === third.publicKey,
          ]),
          [second.publicKey, true, true],
        ],
      );
      for (const key of [first, second, third]) {
        assert.equal(await codeOf(send(threadId, await sealedTo(key))), "ok");
      }
      assert.deepEqual(await fieldsOf(send(threadId, await sealedTo(ended))), [unknownKey]);
    });

    test("400 says why: other key, other account's key, key type, recipients, header, no age file, expiry", async () => {
      const [key, other, ecdsa, eves] = [newSshKey(), newSshKey(), newSshKey("ecdsa"), newSshKey()];
      const { threadId } = await newThread([key, ecdsa, other]);
      await newThread([eves]);
      const good = await sealedTo(key);
      const armored = (change: (file: Buffer) => Buffer) => {
        const file = Buffer.from(good.ciphertext.replaceAll(/-----.*-----/g, ""), "base64");
        const lines =
          change(file)
            .toString("base64")
            .match(/.{1,64}/g) ?? [];
        return `-----BEGIN AGE ENCRYPTED FILE-----\n${lines.join("\n")}\n-----END AGE ENCRYPTED FILE-----\n`;
      };
      const edited = (edit: (header: string) => string) =>
        armored((file) => Buffer.from(edit(file.toString("latin1")), "latin1"));
      assert.equal(
        edited((header) => header),
        good.ciphertext,
        "armoring again changes nothing",
      );
      const stanza = /-> ssh-ed25519 [^-]*(?=---)/;
      const isNoFile = "must be an armored age file, as age -a writes it";
      const cases: readonly (readonly [string, Partial<SealedInput>, string, RegExp | string])[] = [
        [
          "another of their keys",
          fingerprintOf(other.publicKey),
          "ciphertext",
          "must be encrypted to the key that fingerprint names",
        ],
        ["another account's key", await sealedTo(eves), "fingerprint", unknownKey.message],
        [
          "ecdsa",
          fingerprintOf(ecdsa.publicKey),
          "fingerprint",
          /^is of type ecdsa-sha2-nistp256, which age cannot/,
        ],
        [
          "two recipients",
          { ciphertext: edited((text) => text.replace(stanza, "$&$&")) },
          "ciphertext",
          "must have exactly one recipient",
        ],
        [
          "no recipient",
          { ciphertext: edited((text) => text.replace(stanza, "")) },
          "ciphertext",
          "must have exactly one recipient",
        ],
        [
          "another tag",
          { ciphertext: edited((text) => text.replace(/(-> ssh-ed25519 )\S+/, "$1AAAAAA")) },
          "ciphertext",
          /^must be encrypted/,
        ],
        [
          "another type",
          { ciphertext: edited((text) => text.replace("-> ssh-ed25519", "-> ssh-rsa")) },
          "ciphertext",
          /^must be encrypted/,
        ],
        [
          "no ephemeral key",
          { ciphertext: edited((text) => text.replace(/(-> ssh-ed25519 \S+) \S+/, "$1")) },
          "ciphertext",
          /^must be encrypted/,
        ],
        [
          "no MAC",
          { ciphertext: edited((text) => text.replace(/--- \S+/, "---")) },
          "ciphertext",
          isNoFile,
        ],
        [
          "no payload",
          { ciphertext: armored((file) => file.subarray(0, -60)) },
          "ciphertext",
          isNoFile,
        ],
        ["plain text", { ciphertext: secret }, "ciphertext", isNoFile],
        [
          "plain text in armor",
          { ciphertext: armored(() => Buffer.from(secret)) },
          "ciphertext",
          isNoFile,
        ],
        [
          "text after the armor",
          { ciphertext: `${good.ciphertext}${secret}` },
          "ciphertext",
          isNoFile,
        ],
        ["no time", { expiresAt: "tomorrow" }, "expiresAt", /^must be a time in UTC/],
        ["past", { expiresAt: isoTime(core.clock.now()) }, "expiresAt", "must be in the future"],
      ];
      for (const [name, change, field, message] of cases) {
        const [fault] = (await fieldsOf(send(threadId, { ...good, ...change }))) ?? [];
        assert.equal(fault?.field, `sealed.${field}`, name);
        assert.match(
          fault.message,
          typeof message === "string" ? new RegExp(`^${message}$`) : message,
          name,
        );
      }
      const both = { threadId, text: "Hello.", sealed: good };
      for (const input of [both, { threadId }]) {
        const intent = intentOf("answerThread");
        const [fault] = (await fieldsOf(answerThread(core, { ...support, intent }, input))) ?? [];
        assert.equal(fault?.field, "text");
      }
      assert.equal((await valueOf(readAnyThread(core, threadId))).messages.length, 1);
      assert.equal(await codeOf(send(threadId, good)), "ok");
    });

    test("an expired text is shown to no one, and the next sweep erases it from every table", async () => {
      const key = newSshKey();
      const { accountId, threadId } = await newThread([key]);
      const expiresAt = core.clock.now() + 60_000;
      const sealed = await sealedTo(key, { expiresAt: isoTime(expiresAt) });
      const keeps = await sealedTo(key);
      const idempotencyKey = freshKey();
      await valueOf(send(threadId, sealed, idempotencyKey));
      await valueOf(send(threadId, keeps));
      const replayed = await valueOf(send(threadId, sealed, idempotencyKey));
      assert.equal(replayed.replayed, true);
      assert.equal(replayed.body.sealed?.ciphertext, sealed.ciphertext);
      const [, , , line = ""] = sealed.ciphertext.split("\n");
      assert.ok((await everyRow(core)).includes(line));
      assert.equal(await erase(), 0);

      testCore.clock.advance(60_000);
      const { messages } = await valueOf(readThread(core, accountId, threadId));
      assert.deepEqual(
        messages.map((message) => message.sealed?.ciphertext),
        [undefined, null, keeps.ciphertext],
      );
      const late = await valueOf(send(threadId, sealed, idempotencyKey));
      assert.deepEqual(late.body.sealed, {
        ...fingerprintOf(key.publicKey),
        ciphertext: null,
        expiresAt,
      });
      assert.equal(await erase(), 1);
      assert.equal(await erase(), 0);
      assert.ok(!(await everyRow(core)).includes(line));
    });
  });
});

function fingerprintOf(publicKey: string): { readonly fingerprint: string } {
  const key = readSshPublicKey(publicKey);
  assert.ok(key.ok);
  return { fingerprint: key.value.fingerprint };
}

/** Everything that the tables of messages and idempotency keys contain. */
async function everyRow({ db }: Core): Promise<string> {
  const rows = await Promise.all(
    (["messages", "sealed_texts", "idempotency_keys", "audit"] as const).map((table) =>
      db.read.selectFrom(table).selectAll().execute(),
    ),
  );
  return JSON.stringify(rows);
}

const unknownKey = {
  field: "sealed.fingerprint",
  message: "must be the fingerprint of one of the customer's SSH keys",
};
