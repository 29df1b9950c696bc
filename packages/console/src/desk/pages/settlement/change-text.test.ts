import assert from "node:assert/strict";
import { test } from "node:test";
import { changeText } from "./change-text.ts";

test("a change has its sign and at most one decimal", () => {
  assert.equal(changeText("80.00", "120.00"), "(+50\u00a0%)");
  assert.equal(changeText("80.00", "60"), "(−25\u00a0%)");
  assert.equal(changeText("3", "4"), "(+33.3\u00a0%)");
});

test("without an earlier price there is no change", () => {
  assert.equal(changeText(null, "80"), "");
});
