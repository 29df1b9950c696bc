import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { lineAt, offsetOf, readJson } from "./json-text.ts";

const document = {
  regions: [{ id: "fra", name: 'a "quoted", {odd} [name]:' }],
  configurations: [
    { id: "metal-s", offers: [] },
    { id: "metal-m", offers: [{ regionId: "fra", weeklyUsd: 20 }] },
  ],
};
const text = JSON.stringify(document, null, 2);
const lineOf = (path: string) => text.split("\n")[lineAt(text, offsetOf(text, path)) - 1]?.trim();

describe("positions in JSON text", () => {
  test("a path finds its value", () => {
    assert.equal(lineOf("configurations.1.offers.0.weeklyUsd"), '"weeklyUsd": 20');
    assert.equal(lineOf("configurations.1.id"), '"id": "metal-m",');
    assert.equal(lineOf("regions.0.name"), String.raw`"name": "a \"quoted\", {odd} [name]:"`);
  });

  test("a missing field points to its object", () => {
    const at = offsetOf(text, "configurations.0.cpu");
    assert.equal(JSON.stringify(text.slice(at, at + 1)), '"{"');
    assert.equal(lineAt(text, at), lineAt(text, offsetOf(text, "configurations.0")));
  });

  test("a syntax error reports its line", () => {
    const read = readJson('{\n  "a": 1,\n  oops\n}');
    assert.deepEqual([read.kind, read.kind === "invalid" && read.line], ["invalid", 3]);
  });
});
