import assert from "node:assert/strict";
import { test } from "node:test";
import { flag, oneOf, parseOptions, text, whole } from "./command-options.ts";

const options = {
  seeds: whole(2_000),
  seed: whole(),
  engine: oneOf(["sqlite", "postgres"], "sqlite"),
  replay: flag,
  recording: text,
};
const parse = (...args: readonly string[]) => parseOptions(args, options, ["reads", "writes"]);

test("an absent option has its default", () => {
  const { values, words } = parse();
  const none = { seed: undefined, recording: undefined };
  assert.deepEqual(values, { seeds: 2_000, engine: "sqlite", replay: false, ...none });
  assert.deepEqual(words, []);
});

test("reads the given options and words", () => {
  const { values, words } = parse("writes", "--seeds", "7", "--engine=postgres", "--replay");
  assert.deepEqual([values.seeds, values.engine, values.replay], [7, "postgres", true]);
  assert.deepEqual(words, ["writes"]);
});

for (const [args, sentence] of [
  [["--seeds", "many"], /--seeds must be a whole number, not many/],
  [["--seeds=-1"], /--seeds must be a whole number, not -1/],
  [["--engine", "mysql"], /--engine must be one of sqlite, postgres, not mysql/],
  [["--sedes", "7"], /Unknown option '--sedes'/],
  [["--seed"], /'--seed <value>' argument missing/],
  [["read"], /Unknown argument read. Use reads, writes/],
] as const) {
  test(`${args.join(" ")} is refused with ${sentence.source}`, () => {
    assert.throws(() => parse(...args), sentence);
  });
}
