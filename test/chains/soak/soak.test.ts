import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { test } from "node:test";
import { skipWithout } from "#test/components.ts";
import { openEngine } from "#test/engines.ts";
import { runSoak } from "./run-soak.ts";

const skip = await skipWithout("litecoind");

// The short form of `npm run chain-soak`.
test("deposits match the model after random events of a real chain", { skip }, async (t) => {
  const seed = randomInt(2 ** 31);
  t.diagnostic(`seed ${seed}`);
  const opened = await openEngine("sqlite");
  t.after(() => opened.dispose());
  const { problems } = await runSoak({ steps: 15, seed, open: () => opened.reopen() });
  assert.deepEqual(problems, []);
});
