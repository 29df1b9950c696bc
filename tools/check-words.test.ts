import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findWords } from "./check-words.ts";

const found = (path: string, source: string) =>
  findWords(path, source).map(({ line, kind, found: text }) => `${line} ${kind} ${text}`);

describe("discouraged words", () => {
  test("are found in string literals, template texts, JSX text, attributes and comments", () => {
    const source = [
      'const title = "Nobody is signed in";',
      "const line = `${name} is mended anew`;",
      "/** Whoever calls this. */",
      'const page = <p title="under way">Somebody waits</p>;',
    ].join("\n");
    assert.deepEqual(found("page.tsx", source), [
      "1 copy Nobody",
      "2 copy mended",
      "2 copy anew",
      "3 comment Whoever",
      "4 copy under way",
      "4 copy Somebody",
    ]);
  });

  test("are not reported in names, values, module specifiers and regular expressions", () => {
    const source =
      'import { anew } from "./whoever";\nexport { mend } from "./told";\nanew(/nobody/, "nobody", "An id or `nobody`.");';
    assert.deepEqual(found("names.ts", source), []);
  });

  test("are found in Markdown across a line break, but not in code, links or quotations of a file", () => {
    const page = [
      "The write is under",
      "way: `nobody` knows.",
      '[A link](whoever.md) and `file.test.ts` "nobody signs in".',
      "```sh",
      "anew",
      "```",
    ].join("\n");
    assert.deepEqual(found("page.md", page), ["1 prose under way"]);
  });

  test("are found across the lines of a comment", () => {
    assert.deepEqual(found("code.ts", "/**\n * A write that is under\n * way.\n */"), [
      "2 comment under way",
    ]);
  });

  test("match as whole words, in any case", () => {
    assert.deepEqual(found("page.md", "Recommended. Amend. Bodies. WHOEVER"), ["1 prose WHOEVER"]);
  });

  test("come with the reason and what to write instead", () => {
    assert.deepEqual(
      findWords("page.md", "Choose anew.").map(({ reason }) => reason),
      ["is archaic; write again, or a new one"],
    );
  });

  test("code that cannot be parsed is an error, not a pass", () => {
    assert.throws(() => findWords("broken.ts", "const ="), /broken\.ts cannot be parsed/);
  });
});
