import assert from "node:assert/strict";
import { test } from "node:test";
import { createLog, readableLines } from "./log.ts";

test("an error is one line for people, whatever its message says to the terminal", () => {
  const shown: string[] = [];
  const log = createLog("info", readableLines({ write: (text) => shown.push(text) }));
  const err = new Error("duplicate key\n12:00:00 all is well\u001b[2K\u009b1A\u2028");
  log.error({ err }, "a request failed");
  assert.equal(shown.length, 1);
  assert.match(
    shown[0] ?? "",
    /^\d\d:\d\d:\d\d error a request failed: duplicate key 12:00:00 all is well \[2K 1A \n$/,
  );
});
