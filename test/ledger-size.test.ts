import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const bench = fileURLToPath(new URL("../bench/ledger-size.ts", import.meta.url));

// Only that it runs: `npm run bench:ledger` fills a million entries, on both engines.
test("npm run bench:ledger prints every read at two sizes of a ledger", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...[bench, "--engine", "sqlite", "--first", "200", "--entries", "400", "--brief"],
  ]);
  const [titles = "", , ...rows] = stdout.trimEnd().split("\n");
  assert.match(titles, /^\| Read +\| 200 entries \| 400 entries \| Ratio +\|$/);
  const names = rows.map((row) => row.split("|")[1]?.trim());
  assert.deepEqual(
    names,
    [
      ...["newest page of the history", "older page of the history", "page of one type"],
      ...["statement", "account export", "ironleased verify"],
    ].map((name) => `sqlite ${name}`),
  );
  for (const row of rows) assert.match(row, /\| [\d.]+ m?s +\| [\d.]+ m?s +\| [\d.]+ × +\|$/, row);
});
