import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { clean, cleanJson, cleanText, rendered, styleFor, table } from "@ironlease/command-line";
import { encode } from "uqr";
import { fieldOf, listed } from "./output.ts";
import { qrCode } from "./qr-code.ts";
import { renderedIds } from "./ids.ts";
import { spinning } from "./spinner.ts";
import fc from "fast-check";

const terminal = { isTTY: true, write: () => true };
const plain = styleFor({}, {});
const anyText = fc.string({ unit: "binary" });

describe("output", () => {
  test("control characters are escaped", () => {
    const acting = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
    fc.assert(fc.property(anyText, (text) => !acting.test(cleanText(text))));
    assert.deepEqual(clean({ list: ["\u001b[2J", 1, null] }), { list: ["\\u001b[2J", 1, null] });
  });

  test("escaped JSON parses to the same value", () => {
    fc.assert(
      fc.property(
        fc.record({ name: anyText, list: fc.array(anyText) }, { noNullPrototype: true }),
        (value) => {
          assert.deepEqual(JSON.parse(cleanJson(value, 2)), value);
          assert.equal(cleanJson(value).includes("\n"), false);
        },
      ),
    );
  });

  test("columns are aligned with wide characters and colours", () => {
    const rows = ["a", "日本", "😀", "long one"].map((name, index) => ({ name, index }));
    const columns = [
      { field: "name", heading: "NAME", cell: (row: (typeof rows)[number]) => row.name },
      {
        field: "index",
        heading: "N",
        cell: (row: (typeof rows)[number]) => String(row.index),
        isRight: true,
      },
    ] as const;
    assert.equal(
      table(plain, columns, rows),
      ["NAME      N", "a         0", "日本      1", "😀        2", "long one  3"].join("\n"),
    );
    const coloured = table(styleFor(terminal, {}), columns, rows);
    assert.match(coloured, /\u001b\[1mNAME\u001b\[22m {6}\u001b\[1mN/);
  });

  test("colours are on for terminals, unless NO_COLOR or TERM=dumb is set", () => {
    assert.equal(styleFor(terminal, {}).isOn, true);
    assert.equal(styleFor(terminal, { NO_COLOR: "" }).isOn, true);
    assert.equal(styleFor(terminal, { NO_COLOR: "1" }).isOn, false);
    assert.equal(styleFor(terminal, { TERM: "dumb" }).isOn, false);
    assert.equal(plain.isOn, false);
    assert.equal(plain.red("x"), "x");
  });

  test("a QR code shows the modules of the code, with and without colours", () => {
    const text = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
    const { data } = encode(text, { ecc: "M", border: 2 });
    for (const [style, isDrawnDark] of [
      [styleFor(terminal, {}), true],
      [plain, false],
    ] as const) {
      const lines = stripVTControlCharacters(qrCode(text, style)).split("\n");
      const rows = lines.flatMap((line) => [
        Array.from(line, (character) => "█▀".includes(character) === isDrawnDark),
        Array.from(line, (character) => "█▄".includes(character) === isDrawnDark),
      ]);
      assert.deepEqual(rows.slice(0, data.length), data);
    }
  });

  test("--columns picks columns in their order, --quiet the ids", async () => {
    const rows = [
      { id: "a_1", state: "ON" },
      { id: "a_2", state: "OFF" },
      { id: "a_1", state: "ON" },
    ];
    const columns = (["id", "state"] as const).map((field) => ({
      field,
      heading: field,
      cell: (row: (typeof rows)[number]) => row[field],
    }));
    const list = listed({ rows }, { rows, columns });
    const as = (format: "table" | "csv", ...names: readonly string[]) =>
      rendered(list, { format, style: plain, names });
    assert.equal((await as("table", "state", "id")).split("\n")[1], "ON     a_1");
    assert.equal(await as("csv", "state"), "state\nON\nOFF\nON");
    assert.deepEqual(renderedIds(list), ["a_1", "a_2"]);
    assert.deepEqual(renderedIds({ json: { id: "a_3" }, text: () => "" }), ["a_3"]);
    assert.deepEqual(renderedIds({ json: { done: true }, text: () => "" }), []);
    await assert.rejects(as("csv", "stat"), /has no column stat\. It has id, state\./);
  });

  test("a result that is no list is one line of CSV, with paths as headings", async () => {
    const json = { id: "a_1", ddos: { mode: "BASELINE", quote: null }, tags: ["x", "y"] };
    assert.equal(
      await rendered({ json, text: () => "" }, { format: "csv", style: plain, names: undefined }),
      "id,ddos.mode,ddos.quote,tags\na_1,BASELINE,,x y",
    );
  });

  test("fieldOf finds a field by its path and ignores inherited properties", () => {
    const answer = { servers: [{ id: "srv_1", hostname: null }] };
    assert.equal(fieldOf(answer, "servers.0.id"), "srv_1");
    assert.equal(fieldOf(answer, "servers.0.hostname"), null);
    assert.equal(fieldOf(answer, "servers.1.id"), undefined);
    assert.equal(fieldOf(answer, "constructor"), undefined);
  });

  test("a spinner appears on a terminal after 200 ms and is erased at the end", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
    let shown = "";
    const screen = { isTTY: true, write: (text: string) => (shown += text) };
    const { promise, reject } = Promise.withResolvers<never>();
    const asked = spinning(() => promise, screen, "rent.example")("", {} as never);
    t.mock.timers.tick(199);
    assert.equal(shown, "");
    t.mock.timers.tick(1);
    t.mock.timers.tick(80);
    assert.match(shown, /⠋ rent\.example[\s\S]*⠙ rent\.example/);
    reject(new Error("cut"));
    await assert.rejects(asked, /cut/);
    assert.match(shown, /\r\u001b\[2K$/);
  });

  test("there is no spinner without a terminal", () => {
    const fetch = () => Promise.reject(new Error("not called"));
    assert.equal(spinning(fetch, { write: () => true }, "host"), fetch);
    assert.notEqual(spinning(fetch, terminal, "host"), fetch);
  });
});
