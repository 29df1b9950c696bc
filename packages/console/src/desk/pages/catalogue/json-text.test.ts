import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { lineAt, placeOf, readJson } from "./json-text.ts";

const document = {
  regions: [{ id: "fra", name: 'a "quoted", {odd} [name]:' }],
  configurations: [
    { id: "metal-s", offers: [] },
    { id: "metal-m", offers: [{ regionId: "fra", weeklyUsd: 20 }] },
  ],
};
const text = JSON.stringify(document, null, 2);
const lineOf = (path: string) => text.split("\n")[lineAt(text, placeOf(text, path)) - 1]?.trim();

describe("a place in a JSON text", () => {
  test("is found by the path that the service names", () => {
    assert.equal(lineOf("configurations.1.offers.0.weeklyUsd"), '"weeklyUsd": 20');
    assert.equal(lineOf("configurations.1.id"), '"id": "metal-m",');
    assert.equal(lineOf("regions.0.name"), String.raw`"name": "a \"quoted\", {odd} [name]:"`);
  });

  test("is that of the nearest thing around it when it is missing itself", () => {
    const at = placeOf(text, "configurations.0.cpu");
    assert.equal(JSON.stringify(text.slice(at, at + 1)), '"{"');
    assert.equal(lineAt(text, at), lineAt(text, placeOf(text, "configurations.0")));
  });

  test("of a broken text is the line that breaks it", () => {
    const read = readJson('{\n  "a": 1,\n  oops\n}');
    assert.deepEqual([read.kind, read.kind === "broken" && read.line], ["broken", 3]);
  });
});
