import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { plantedBugs } from "./bugs/index.ts";
import { editsOf, withEdit, type PlantedBug } from "./planted-bug.ts";
import { sabotage } from "./sabotage.ts";
import { repository } from "./scratch-copy.ts";

describe("the list of planted bugs", () => {
  test("has at least 20 bugs with unique names and existing ordinary tests", () => {
    assert.ok(plantedBugs.length >= 20);
    assert.equal(new Set(plantedBugs.map(({ name }) => name)).size, plantedBugs.length);
    for (const { name, tests } of plantedBugs) {
      assert.ok(tests.length > 0, name);
      for (const file of tests) {
        assert.match(file, /^(?:packages|test)\/(?!sabotage\/).*\.test\.ts$/, name);
        assert.ok(existsSync(join(repository, file)), `${name}: ${file} does not exist`);
      }
    }
  });

  for (const bug of plantedBugs) {
    test(`${bug.name}: its text occurs exactly once and the bug changes it`, () => {
      for (const edit of editsOf(bug)) {
        const text = readFileSync(join(repository, edit.file), "utf8");
        assert.notEqual(withEdit(text, edit), text);
      }
    });
  }

  test("all bugs can be planted at once, for the type checker", () => {
    const edited = new Map<string, string>();
    for (const edit of plantedBugs.flatMap(editsOf)) {
      const text = edited.get(edit.file) ?? readFileSync(join(repository, edit.file), "utf8");
      edited.set(edit.file, withEdit(text, edit));
    }
    assert.ok(edited.size > 1);
  });

  test("an edit whose text is missing or occurs twice throws with the file and the text", () => {
    const edit = { file: "some.ts", find: "one", replace: "two" };
    assert.throws(() => withEdit("nothing", edit), /^Error: some\.ts .* 0 times: one$/);
    assert.throws(() => withEdit("one one", edit), /^Error: some\.ts .* 2 times: one$/);
  });
});

describe("planting a bug", () => {
  /** Bugs whose tests need no database. `npm run sabotage` plants all bugs. */
  const cheap = [
    "iso-url-trusts-one-list",
    "deposit-rounded-half-up",
    "forwarded-for-from-the-left",
  ];
  const model = plantedBugs.find(({ name }) => name === "forwarded-for-from-the-left");
  assert.ok(model !== undefined);
  const harmless: PlantedBug = { ...model, name: "harmless", replace: `${model.find}.slice()` };
  const unreadable: PlantedBug = { ...model, name: "unreadable", replace: "hops.(" };

  test("a bug is caught, a harmless change survives and invalid code is broken", async () => {
    const bugs = plantedBugs.filter(({ name }) => cheap.includes(name));
    const trials = await sabotage({ bugs: [...bugs, harmless, unreadable], concurrency: 1 });
    assert.deepEqual(
      trials.map(({ bug, verdict }) => [bug.name, verdict.kind]),
      [
        ...bugs.map(({ name }) => [name, "caught"]),
        ["harmless", "survived"],
        ["unreadable", "broken"],
      ],
    );
  });

  test("throws when the tests already fail without the bug", async () => {
    const missing = { ...harmless, tests: ["test/there-is-none.test.ts"] };
    await assert.rejects(
      sabotage({ bugs: [missing], concurrency: 1 }),
      /The tests fail without any bug/,
    );
  });
});
