import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "./daemon.ts";

const preload = new URL("without-promise-hooks.ts", import.meta.url).href;

/** Errors that no test awaits, and one that a test does. */
const errors: Readonly<Record<string, string>> = {
  "after-an-await": "await null; throw new Error('lost');",
  "unhandled-rejection":
    "void Promise.resolve().then(() => { throw new Error('lost'); }); await new Promise(setImmediate);",
  "in-a-timer": "await new Promise(() => setTimeout(() => { throw new Error('lost'); }, 1));",
  "after-an-await-in-a-timer":
    "setTimeout(async () => { await null; throw new Error('lost'); }, 1); await new Promise((done) => setTimeout(done, 5));",
  "after-the-test": "setTimeout(() => { throw new Error('lost'); }, 1);",
};

const nested = `describe("outer", () => {
  describe("inner", () => {
    test("leaf", async () => {
      await null;
      if (executionAsyncId() !== 0) throw new Error("promises are followed");
    });
  });
});`;

test("without promise hooks, suites still nest and every uncaught error fails its test file", () => {
  const folder = temporaryFolder();
  const write = (name: string, body: string) => {
    const imports = `import { executionAsyncId } from "node:async_hooks";
      import { describe, test } from "node:test";`;
    writeFileSync(join(folder, `${name}.test.mjs`), `${imports}\n${body}`);
  };
  write("nested", nested);
  for (const [name, body] of Object.entries(errors)) {
    write(name, `test("${name}", async () => { ${body} });`);
  }
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout, status } = spawnSync(
    process.execPath,
    ["--test", "--test-reporter=spec", `--import=${preload}`],
    { cwd: folder, env, encoding: "utf8" },
  );
  assert.equal(status, 1, stdout);
  assert.match(stdout, /outer\n +▶ inner\n +✔ leaf/);
  for (const name of Object.keys(errors)) {
    // The runner prints the file's name if it cannot tell the test.
    assert.match(stdout, new RegExp(`✖ ${name}(?:\\.test\\.mjs)? `));
  }
});
