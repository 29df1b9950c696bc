import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { agoText, usdText } from "./rate-text.ts";

describe("usdText", () => {
  test("keeps every decimal of the rate, at least cents", () => {
    assert.equal(usdText("94250.00"), "$94,250.00");
    assert.equal(usdText("1"), "$1.00");
    assert.equal(usdText("0.999999999999999999"), "$0.999999999999999999");
  });
});

describe("agoText", () => {
  test("counts whole units, and a clock that is behind shows no negative age", () => {
    assert.deepEqual([-5_000, 1_999, 2_000, 59_999, 60_000, 3_599_999, 7_200_000].map(agoText), [
      "just now",
      "just now",
      "2 s ago",
      "59 s ago",
      "1 min ago",
      "59 min ago",
      "2 h ago",
    ]);
  });
});
