import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { LineEditor } from "./line-editor.ts";

function typed(...keys: string[]) {
  let shown = "";
  const editor = new LineEditor((text) => (shown += text));
  const pressed = keys.map((key) => editor.press(key)).at(-1);
  return { pressed, shown, ahead: editor.ahead };
}

describe("typing a line", () => {
  test("enter ends it, and what was pasted after it is kept for the next question", () => {
    assert.deepEqual(typed("a", "b", "\r").pressed, { kind: "line", line: "ab" });
    const pasted = typed("one\r\ntwo\r");
    assert.deepEqual(pasted.pressed, { kind: "line", line: "one" });
    assert.equal(pasted.ahead, "two\r");
  });

  test("erasing takes back a character, whole, and never more than there is", () => {
    assert.deepEqual(typed("a", "😀", "\u007f", "\b", "\b", "c", "\r").pressed, {
      kind: "line",
      line: "c",
    });
    assert.equal(typed("ab", "\u0015", "c").shown, "ab\b \b\b \bc");
  });

  test("spaces and any letters belong to it; cursor keys and control characters do not", () => {
    const line = " pässwörd  ☃ ";
    assert.deepEqual(typed(line, "\u001b[A", "\u001bOP", "\t", "\u0000", "\r").pressed, {
      kind: "line",
      line,
    });
  });

  test("Ctrl-C interrupts at any time, Ctrl-D only before something is typed", () => {
    assert.deepEqual(typed("ab", "\u0003").pressed, { kind: "interrupted" });
    assert.deepEqual(typed("\u0004").pressed, { kind: "closed" });
    assert.deepEqual(typed("a", "\u0004", "\r").pressed, { kind: "line", line: "a" });
  });
});
