import assert from "node:assert/strict";
import { generateKeyPairSync, hash, sign } from "node:crypto";
import { test } from "node:test";
import { canonicalJson, type Json } from "./canonical-json.ts";
import type { PathStep, SumNode } from "./liabilities.ts";
import { verifyLiabilities } from "./verify-liabilities.ts";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const { x = "" } = publicKey.export({ format: "jwk" });
const keys = { keys: [{ keyId: "one", kty: "OKP", crv: "Ed25519", x }] } as const;
const accountId = "acc_ada";

const tagged = (tag: number, value: Json) =>
  hash("sha256", Buffer.concat([Buffer.of(tag), Buffer.from(canonicalJson(value))]));

/** A document that a dishonest service signs: whatever the path adds up to. */
function documentOf(
  balanceCents: number,
  path: readonly PathStep[],
  more: object = {},
): Uint8Array {
  const salt = "5a17";
  const account = hash("sha256", `${salt}:${accountId}`);
  let node: SumNode = { hash: tagged(0, { account, balanceCents }), sumCents: balanceCents };
  for (const { side, ...sibling } of path) {
    const [left, right] = side === "LEFT" ? [sibling, node] : [node, sibling];
    const children = { left: { ...left }, right: { ...right } };
    node = { hash: tagged(1, children), sumCents: left.sumCents + right.sumCents };
  }
  const root = { date: "2026-11-15", rootHash: node.hash, totalCents: node.sumCents };
  const head = { ...root, at: "2026-11-15T00:00:10.000Z", ...more };
  const value = sign(null, Buffer.from(canonicalJson(head)), privateKey).toString("base64url");
  const proof = { salt, account, balanceCents, path: path.map((step) => ({ ...step })) };
  const signature = { keyId: "one", value };
  return Buffer.from(canonicalJson({ ...root, head, signature, proof }));
}

async function problemOf(file: Uint8Array): Promise<string | undefined> {
  const verified = await verifyLiabilities(file, keys, accountId);
  return verified.ok ? undefined : verified.problem;
}

const step = (side: "LEFT" | "RIGHT", sumCents: number) => ({
  side,
  hash: "ab".repeat(32),
  sumCents,
});

test("a path verifies when every sum on it is a whole number of cents, zero included", async () => {
  assert.equal(await problemOf(documentOf(500, [])), undefined);
  assert.equal(await problemOf(documentOf(0, [step("LEFT", 0), step("RIGHT", 7)])), undefined);
});

test("signed sums that are negative, broken or too large are refused", async () => {
  for (const [balance, path] of [
    [500, [step("RIGHT", -100)]],
    [-5, [step("LEFT", 100)]],
    [500, [step("RIGHT", 0.5)]],
    [500, [step("RIGHT", -100), step("LEFT", 100)]],
    [500, [step("RIGHT", Number.MAX_SAFE_INTEGER)]],
  ] as const) {
    assert.match((await problemOf(documentOf(balance, path))) ?? "", /not a whole number of cents/);
  }
});

test("a head of another date or another total is refused, although it is signed", async () => {
  for (const more of [
    { date: "2026-11-16" },
    { totalCents: 499 },
    { at: "2026-11-16T00:00:10.000Z" },
  ]) {
    assert.notEqual(await problemOf(documentOf(500, [], more)), undefined);
  }
});
