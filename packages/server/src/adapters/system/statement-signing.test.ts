import assert from "node:assert/strict";
import { test } from "node:test";
import { createStatementSigning } from "./statement-signing.ts";

/** Test 1 of RFC 8032, section 7.1. */
test("the first key signs as RFC 8032 says, and its public key has a stable id", async () => {
  const seed = Buffer.from(
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    "hex",
  );
  const signing = createStatementSigning(async () => [seed, Buffer.alloc(32, 1)]);
  const expected =
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b";
  assert.equal(await signing.sign(""), Buffer.from(expected, "hex").toString("base64url"));
  assert.deepEqual(await signing.publicKey(), {
    keyId: "If4x36FUomFia_hUBG_SIw".slice(0, 16),
    x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  });
});

test("a key file that cannot be read is read again at the next call", async () => {
  let calls = 0;
  const signing = createStatementSigning(async () => {
    calls += 1;
    if (calls === 1) throw new Error("not mounted yet");
    return [Buffer.alloc(32, 2)];
  });
  await assert.rejects(signing.publicKey(), /not mounted yet/);
  assert.match((await signing.publicKey()).keyId, /^[\w-]{16}$/);
});
