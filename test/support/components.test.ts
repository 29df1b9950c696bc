import assert from "node:assert/strict";
import { test } from "node:test";
import { prepareTestComponents, skipWithout } from "./components.ts";

const nowhere = { folder: "/nonexistent", systemRoot: "/nonexistent", searchPath: "/nonexistent" };

test("a missing component fails the run in CI, with what to install", async () => {
  await assert.rejects(
    prepareTestComponents(nowhere, { CI: "true" }),
    /^Error: litecoind is missing\. .*\nInstall litecoind .*sudo apt-get install litecoind$/m,
  );
});

test("elsewhere a missing component skips the tests that need it, with what to install", async () => {
  const environment = {};
  await prepareTestComponents(nowhere, environment);
  const reason = await skipWithout("litecoind", environment);
  assert.match(String(reason), /^litecoind is missing\. .*\nInstall litecoind /);
});
