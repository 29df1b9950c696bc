import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { plantedBugs } from "./bugs/index.ts";
import { editsOf, withEdit, type PlantedBug } from "./planted-bug.ts";
import { sabotage } from "./sabotage.ts";
import { repository } from "./scratch-copy.ts";

describe("the table of planted bugs", () => {
  test("has twenty and more, each under a name of its own, with its own text and ordinary tests", () => {
    assert.ok(plantedBugs.length >= 20);
    assert.equal(new Set(plantedBugs.map(({ name }) => name)).size, plantedBugs.length);
    for (const { name, tests } of plantedBugs) {
      assert.ok(tests.length > 0, name);
      for (const file of tests) {
        assert.match(file, /^(?:packages|test)\/(?!sabotage\/).*\.test\.ts$/, name);
        assert.ok(existsSync(join(repository, file)), `${name}: there is no ${file}`);
      }
    }
  });

  for (const bug of plantedBugs) {
    test(`${bug.name}: its text is in the code exactly once, and the bug changes it`, () => {
      for (const edit of editsOf(bug)) {
        const text = readFileSync(join(repository, edit.file), "utf8");
        assert.notEqual(withEdit(text, edit), text);
      }
    });
  }

  test("text that is not there, or there twice, is refused with the file and the text", () => {
    const edit = { file: "some.ts", find: "one", replace: "two" };
    assert.throws(() => withEdit("nothing", edit), /some\.ts has 0 times instead of once: one/);
    assert.throws(() => withEdit("one one", edit), /some\.ts has 2 times instead of once: one/);
  });
});

describe("planting a bug", () => {
  /** Those whose tests take no database: `npm run sabotage` tries them all. */
  const cheap = [
    "iso-url-trusts-one-list",
    "deposit-rounded-half-up",
    "forwarded-for-from-the-left",
  ];
  const model = plantedBugs.find(({ name }) => name === "forwarded-for-from-the-left");
  assert.ok(model !== undefined);
  const harmless: PlantedBug = { ...model, name: "harmless", replace: `${model.find}.slice()` };
  const unreadable: PlantedBug = { ...model, name: "unreadable", replace: "hops.(" };

  test("shows by which assertion it is caught, that it survives, or that it does not even start", async () => {
    const bugs = plantedBugs.filter(({ name }) => cheap.includes(name));
    const trials = await sabotage({ bugs: [...bugs, harmless, unreadable], atOnce: 1 });
    assert.deepEqual(
      trials.map(({ bug, verdict }) => [bug.name, verdict.kind]),
      [
        ...bugs.map(({ name }) => [name, "caught"]),
        ["harmless", "survived"],
        ["unreadable", "broken"],
      ],
    );
  });

  test("is not tried where the tests fail without it", async () => {
    const missing = { ...harmless, tests: ["test/there-is-none.test.ts"] };
    await assert.rejects(
      sabotage({ bugs: [missing], atOnce: 1 }),
      /without any bug the tests fail already/,
    );
  });
});
