import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const soak = fileURLToPath(new URL("./main.ts", import.meta.url));

// Only that it runs: `npm run ledger-soak` does it with a million entries, on both engines.
test("npm run ledger-soak chains an old ledger while customers order, and verifies it", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...[soak, "--engine", "sqlite", "--entries", "1000", "--accounts", "5", "--seconds", "1"],
  ]);
  assert.match(stdout, /1000 entries without a hash, 100 in one ledger/);
  assert.match(stdout, /orders meanwhile: the median waited [\d.]+ ×/);
  assert.match(stdout, /ironleased verify took .* exited with 0/);
  assert.doesNotMatch(stdout, /PROBLEM/);
});
