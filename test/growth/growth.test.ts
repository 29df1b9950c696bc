import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { growthOf } from "./growth.ts";
import { parsers } from "./parsers.ts";
import { textsOf } from "./shapes.ts";

const length = 1_024;

/** The geometric mean of linear growth (4) and quadratic growth (16). */
const allowed = 8;

describe("parsing takes time linear in the length of the text", () => {
  for (const [name, { parse, ...shapes }] of Object.entries(parsers)) {
    test(name, () => {
      const long = textsOf(shapes, 4 * length);
      for (const [index, text] of textsOf(shapes, length).entries()) {
        const longText = long[index] ?? "";
        const growth = growthOf(parse, text, longText, allowed);
        const shown = JSON.stringify(`${text.slice(0, 24)}…${text.slice(-12)}`);
        assert.ok(growth < allowed, `${shown}: cost grew by a factor of ${growth.toFixed(1)}`);
      }
    });
  }

  test("quadratic growth is detected", () => {
    const quadratic = (text: string) => / *;/.test(text);
    // Long enough that the noise allowance does not hide it on a fast machine.
    const text = " ".repeat(4 * length);
    assert.ok(growthOf(quadratic, text, text.repeat(4), allowed) >= allowed);
  });
});
