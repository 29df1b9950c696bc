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

// The short form of `npm run bench`: whether it runs, since no time is ever asserted.
test("the benchmark measures every read and write, and everything else, on both engines", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [bench, "--brief"]);
  const lines = stdout.split("\n");
  const said = (engine: string, words: string) =>
    assert.ok(
      lines.some(
        (line) => line.startsWith(engine) && line.includes(words) && !/NaN|Infin/.test(line),
      ),
      `${engine} says nothing of ${words} in\n${stdout}`,
    );
  const operations: Readonly<Record<string, Operation>> = {
    ...accountOperations,
    ...operatorOperations,
  };
  for (const engine of ["sqlite", "postgres"]) {
    for (const { method, path } of Object.values(operations)) {
      if (method === "GET") said(engine, `GET ${path.split("{")[0]}`);
    }
    for (const [id, operation] of Object.entries(operations)) {
      if (isChange(operation)) said(engine, `${id}: `);
    }
    said(engine, "when idle");
    said(engine, "TLS on both sides");
    for (const what of ["me", "order"]) said(engine, `${what}: two processes`);
    said(engine, "renewals: ");
    said(engine, "ledger entries: an order");
    said(engine, "servers besides: an order");
  }
});
