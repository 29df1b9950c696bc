import assert from "node:assert/strict";
import { test } from "node:test";
import { checkNouns, listOnDisk, type List } from "./nouns.ts";

const handlers = "packages/server/src/http/handlers";
const features = "packages/server/src/features";

/** The names on disk, except for one folder. */
const withChange =
  (changed: string, change: (names: readonly string[]) => readonly string[]): List =>
  (folder) =>
    folder === changed ? change(listOnDisk(folder)) : listOnDisk(folder);

test("every package uses the listed nouns", () => {
  assert.deepEqual(checkNouns(), []);
});

test("a file with another name is reported", () => {
  const planted = withChange(handlers, (names) => [...names, "billing"]);
  assert.deepEqual(checkNouns(planted), [`${handlers}/billing is not a noun of tools/nouns.ts`]);
});

test("a noun of the contract without a feature folder is reported", () => {
  const planted = withChange(features, (names) => names.filter((name) => name !== "ledger"));
  assert.deepEqual(checkNouns(planted), [
    `${features} has no ledger, although the contract has it`,
  ]);
});

test("an exception that no longer exists is reported", () => {
  const planted = withChange(features, (names) => names.filter((name) => name !== "renewals"));
  assert.match(checkNouns(planted).join(), /features\/renewals does not exist/);
});
