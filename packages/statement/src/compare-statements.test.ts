import assert from "node:assert/strict";
import { test } from "node:test";
import { compareStatements } from "./compare-statements.ts";
import type { Statement, StatementEntry } from "./statement.ts";

/** Hashes stand for entries: "a b c" is a chain of three, and the statement has those from `start` on. */
function statement(chain: string, start = 0, account = "acc_1"): Statement {
  const hashes = chain === "" ? [] : chain.split(" ");
  const entries = hashes.map(
    (hash, index) =>
      ({ id: `led_${hash}`, hash, previousHash: hashes[index - 1] ?? null }) as StatementEntry,
  );
  const head = { account, hash: hashes.at(-1) ?? null, count: hashes.length, at: "" };
  return {
    openingBalanceUsd: 0,
    closingBalanceUsd: 0,
    previousHash: hashes[start - 1] ?? null,
    entries: entries.slice(start),
    head,
    signature: { keyId: "", value: "" },
  };
}

test("statements of one history agree: equal, longer, overlapping, adjoining or empty", () => {
  for (const [one, other] of [
    [statement("a b"), statement("a b")],
    [statement("a b"), statement("a b c d")],
    [statement("a b c", 1), statement("a b c d", 2)],
    [statement("a b"), statement("a b c d", 2)],
    [statement("a b", 2), statement("a b c")],
    [statement(""), statement("a b")],
  ] as const) {
    assert.deepEqual(compareStatements(one, other), { kind: "same" });
    assert.deepEqual(compareStatements(other, one), { kind: "same" });
  }
});

test("a rewritten history is different, and names the first entry that is not in the other", () => {
  const rewritten = compareStatements(statement("a b c d"), statement("a x y z w"));
  assert.deepEqual(
    [rewritten.kind, "entry" in rewritten && rewritten.entry?.id],
    ["different", "led_b"],
  );
  const truncated = compareStatements(statement("a b c d"), statement("a x"));
  assert.equal(truncated.kind === "different" && truncated.entry?.id, "led_b");
  const { head } = statement("a b");
  const kept = compareStatements({ head, entries: [] }, statement("a x y"));
  assert.deepEqual(kept, {
    kind: "different",
    problem: "The statements differ at or before entry number 2.",
  });
  // The periods do not share an entry, but the later one names the hash that it follows.
  assert.equal(compareStatements(statement("a b"), statement("a x c", 2)).kind, "different");
});

test("statements with a gap between them or of different accounts cannot be compared", () => {
  assert.equal(compareStatements(statement("a b"), statement("a b c d", 3)).kind, "apart");
  assert.equal(compareStatements(statement("a"), statement("a", 0, "acc_2")).kind, "apart");
});
