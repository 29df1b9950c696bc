import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  accountOperations,
  isChange,
  operatorOperations,
  type Operation,
} from "@ironlease/contract";

const bench = fileURLToPath(new URL("../bench/run.ts", import.meta.url));

// Checks only that the benchmark runs. Tests do not assert times.
test("npm run bench prints a result for every operation and part on both engines", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [bench, "--brief"]);
  const lines = stdout.split("\n");
  const assertPrinted = (engine: string, words: string) =>
    assert.ok(
      lines.some(
        (line) => line.startsWith(engine) && line.includes(words) && !/NaN|Infin/.test(line),
      ),
      `No line for ${engine} contains "${words}":\n${stdout}`,
    );
  const operations: Readonly<Record<string, Operation>> = {
    ...accountOperations,
    ...operatorOperations,
  };
  for (const engine of ["sqlite", "postgres"]) {
    for (const { method, path } of Object.values(operations)) {
      if (method === "GET") assertPrinted(engine, `GET ${path.split("{")[0]}`);
    }
    for (const [id, operation] of Object.entries(operations)) {
      if (isChange(operation)) assertPrinted(engine, `${id}: `);
    }
    assertPrinted(engine, "when idle");
    assertPrinted(engine, "TLS on both sides");
    for (const what of ["me", "order"]) assertPrinted(engine, `${what}: two processes`);
    assertPrinted(engine, "renewals: ");
    assertPrinted(engine, "chains: ");
    assertPrinted(engine, "ledger entries: an order");
    assertPrinted(engine, "more accounts and servers: an order");
  }
});
