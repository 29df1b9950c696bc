import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Suites in which a wrapper could change an answer. To run any other, use `global-setup-plain.ts`. */
const suites = [
  "packages/server/src/features/orders/orders.test.ts",
  "packages/server/src/features/sessions/sessions.test.ts",
  "packages/server/src/http/handlers/servers.test.ts",
  "test/engine-conformance/commit.test.ts",
  "test/engine-conformance/lookups.test.ts",
];

test("with every optimisation off, the service answers the same on both engines", async () => {
  // With this variable the runner would behave as a test file of the outer run.
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const child = spawn(process.execPath, ["--test", "--test-concurrency=1", ...suites], {
    cwd: root,
    env: { ...inherited, IRONLEASE_TEST_SPEED: "off" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  assert.equal(code, 0, output);
});
