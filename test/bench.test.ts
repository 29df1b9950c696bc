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

/** Writes that need a node, a DNS server or a controller, which take longer than the service itself. */
const needsNode: ReadonlySet<string> = new Set([
  "runWork",
  "runReverseDns",
  "preparePayout",
  "acceptSignedPayout",
  "broadcastPayout",
  "bumpPayout",
  "cancelPayout",
]);

/** Without those of chains, which start several nodes. */
const parts = [
  "idle",
  "reads",
  "tls",
  "writes",
  "instances",
  "renewals",
  "webhooks",
  "statements",
  "growth",
];

// Checks only that the benchmark runs. Tests do not assert times. On PostgreSQL it takes as long again and shows
// nothing more: `npm run bench -- --brief` runs all of it.
test("npm run bench prints a result for every operation and part", async () => {
  const engine = "sqlite";
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...[bench, ...parts, "--brief", "--engine", engine],
  ]);
  const lines = stdout.split("\n");
  const assertPrinted = (words: string) =>
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
  for (const { method, path, streamed } of Object.values(operations)) {
    if (method === "GET" && streamed === undefined) assertPrinted(`GET ${path.split("{")[0]}`);
  }
  for (const [id, operation] of Object.entries(operations)) {
    if (isChange(operation) && !needsNode.has(id)) assertPrinted(`${id}: `);
  }
  assertPrinted("when idle");
  assertPrinted("TLS on both sides");
  for (const what of ["me", "order"]) assertPrinted(`${what}: two processes`);
  assertPrinted("renewals: ");
  assertPrinted("webhooks: ");
  assertPrinted("entries as csv: ");
  assertPrinted("ledger entries: an order");
  assertPrinted("more accounts and servers: an order");
});
