import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { growthOf } from "./growth.ts";
import { parsers } from "./parsers.ts";
import { textsOf } from "./shapes.ts";

const length = 1_024;

/** Halfway between in proportion (4) and by the square (16), as ratios go. */
const allowed = 8;

describe("text four times as long costs about four times as much", () => {
  for (const [name, { parse, ...shapes }] of Object.entries(parsers)) {
    test(name, () => {
      const long = textsOf(shapes, 4 * length);
      for (const [index, text] of textsOf(shapes, length).entries()) {
        const longText = long[index] ?? "";
        const growth = growthOf(parse, text, longText, allowed);
        const shown = JSON.stringify(`${text.slice(0, 24)}…${text.slice(-12)}`);
        assert.ok(growth < allowed, `${shown}: ${growth.toFixed(1)} times as much`);
      }
    });
  }

  test("a cost that grows by the square is noticed", () => {
    const square = (text: string) => / *;/.test(text);
    const text = " ".repeat(length);
    assert.ok(growthOf(square, text, text.repeat(4), allowed) >= allowed);
  });
});
