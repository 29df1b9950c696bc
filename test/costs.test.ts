import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const bench = fileURLToPath(new URL("../bench/costs.ts", import.meta.url));

test("npm run bench:costs prints one table with the costs of every operation on both engines", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [bench, "--brief"]);
  const lines = stdout.trimEnd().split("\n");
  const [titles = "", rule = "", ...rows] = lines;
  assert.match(titles, /^\| Operation +\| SQLite: service \| PostgreSQL: service \+ database \|/);
  assert.match(rule, /^\|(?: -+ \|){7}$/);
  assert.deepEqual(
    rows.map((row) => row.split("|")[1]?.trim().split(",")[0]),
    [
      ...["List of servers over TLS", "Order over TLS", "Withdrawal over TLS", "Renewal"],
      ...["Overview", "Sum of all balances", "Overview", "Sum of all balances"],
    ],
  );
  for (const row of rows) {
    assert.match(
      row,
      /^\| [^|]+ \| [\d,]+ µs +\| [\d,]+ \+ [\d,]+ µs +\|(?: -?[\d,]+ +\|){4}$/,
      row,
    );
  }
});
