import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { UnknownSealingKey } from "#ports/sealing.ts";
import { createSealing } from "./sealing.ts";

const sealingWith = (...keys: readonly Buffer[]) => createSealing(async () => keys);
const [key, olderKey] = [randomBytes(32), randomBytes(32)];
const sealing = sealingWith(key);

test("sealed text opens in its context, reveals nothing, and differs each time", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 12 }), async (text) => {
      const stored = await sealing.seal(text, "context");
      assert.equal(await sealing.open(stored, "context"), text);
      assert.ok(
        !stored.includes(text) && !stored.includes(Buffer.from(text).toString("base64url")),
      );
      assert.notEqual(await sealing.seal(text, "context"), stored);
      assert.equal(await sealing.isCurrent(stored), true);
    }),
  );
});

test("sealed text does not open in another context or after any change", async () => {
  const stored = await sealing.seal("JBSWY3DPEHPK3PXP", "totp opr_1");
  await assert.rejects(sealing.open(stored, "totp opr_2"));
  const [head, box = ""] = stored.split(/:(?=[^:]*$)/);
  for (const place of box.split("").keys()) {
    const bytes = Buffer.from(box, "base64url");
    const at = Math.min(place, bytes.length - 1);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    await assert.rejects(sealing.open(`${head}:${bytes.toString("base64url")}`, "totp opr_1"));
  }
  await assert.rejects(sealing.open(`${head}:AAAA`, "totp opr_1"), "cut short");
});

test("the first key seals, and the others open text that they sealed earlier", async () => {
  const old = await sealingWith(olderKey).seal("secret", "context");
  const both = sealingWith(key, olderKey);
  assert.equal(await both.open(old, "context"), "secret");
  assert.equal(await both.isCurrent(old), false);
  assert.equal(await both.keyId(), await sealing.keyId());
  assert.equal(await sealing.open(await both.seal("secret", "context"), "context"), "secret");
});

test("opening text sealed with a missing key reports the id of that key", async () => {
  const old = await sealingWith(olderKey).seal("secret", "context");
  const keyId = await sealingWith(olderKey).keyId();
  await assert.rejects(sealing.open(old, "context"), (error) => {
    assert.ok(error instanceof UnknownSealingKey);
    return error.keyId === keyId;
  });
});

test("unsealed text of an earlier version is returned unchanged and is not current", async () => {
  assert.equal(await sealing.open("JBSWY3DPEHPK3PXP", "context"), "JBSWY3DPEHPK3PXP");
  assert.equal(await sealing.isCurrent("JBSWY3DPEHPK3PXP"), false);
});

test("reading the keys is retried after a failure", async () => {
  let isReadable = false;
  const recovering = createSealing(async () => {
    if (!isReadable) throw new Error("unreadable");
    return [key];
  });
  await assert.rejects(recovering.keyId(), /unreadable/);
  isReadable = true;
  assert.equal(await recovering.keyId(), await sealing.keyId());
});
