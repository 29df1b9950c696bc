import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { UnknownSealingKey } from "#ports/sealing.ts";
import { createSealing } from "./sealing.ts";

const sealingWith = (...keys: readonly Buffer[]) => createSealing(async () => keys);
const [key, olderKey] = [randomBytes(32), randomBytes(32)];
const sealing = sealingWith(key);

test("a sealed text opens for its place, reveals nothing, and differs each time", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 12 }), async (text) => {
      const stored = await sealing.seal(text, "place");
      assert.equal(await sealing.open(stored, "place"), text);
      assert.ok(
        !stored.includes(text) && !stored.includes(Buffer.from(text).toString("base64url")),
      );
      assert.notEqual(await sealing.seal(text, "place"), stored);
      assert.equal(await sealing.isCurrent(stored), true);
    }),
  );
});

test("a sealed text does not open for another place or after any character was changed", async () => {
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

test("the first key seals, and the others open what they sealed earlier", async () => {
  const old = await sealingWith(olderKey).seal("secret", "place");
  const both = sealingWith(key, olderKey);
  assert.equal(await both.open(old, "place"), "secret");
  assert.equal(await both.isCurrent(old), false);
  assert.equal(await both.keyId(), await sealing.keyId());
  assert.equal(await sealing.open(await both.seal("secret", "place"), "place"), "secret");
});

test("opening a text sealed with a missing key reports the id of that key", async () => {
  const old = await sealingWith(olderKey).seal("secret", "place");
  const keyId = await sealingWith(olderKey).keyId();
  await assert.rejects(sealing.open(old, "place"), (error) => {
    assert.ok(error instanceof UnknownSealingKey);
    return error.keyId === keyId;
  });
});

test("an unsealed text of an earlier version is returned unchanged and is not current", async () => {
  assert.equal(await sealing.open("JBSWY3DPEHPK3PXP", "place"), "JBSWY3DPEHPK3PXP");
  assert.equal(await sealing.isCurrent("JBSWY3DPEHPK3PXP"), false);
});

test("reading the keys is retried after a failure", async () => {
  let isMended = false;
  const mended = createSealing(async () => {
    if (!isMended) throw new Error("not there");
    return [key];
  });
  await assert.rejects(mended.keyId(), /not there/);
  isMended = true;
  assert.equal(await mended.keyId(), await sealing.keyId());
});
