import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CommandFailure } from "../../cli/src/failures/failure.ts";
import { command } from "../../cli/src/command.ts";
import { parse } from "./parse.ts";

const sample = command({
  words: ["thing", "make"],
  summary: "Make a thing.",
  arguments: [
    { name: "kind", choices: ["BIG", "SMALL"], meaning: "Which." },
    { name: "label", optional: true, meaning: "What to call it." },
  ],
  options: {
    colour: { value: "COLOUR", required: true, meaning: "Its colour." },
    count: { value: "N", fallback: "1", meaning: "How many." },
    shiny: { short: "s", meaning: "Polish it." },
  },
  keyed: true,
  asks: true,
  examples: [],
  run: () => Promise.resolve(undefined),
});

const refusal = (...rest: string[]) => {
  try {
    parse(sample, rest);
  } catch (error) {
    assert.ok(error instanceof CommandFailure);
    assert.equal(error.failure.exit, "usage");
    return [error.failure.message, ...(error.failure.advice ?? [])].join("\n");
  }
  return assert.fail(`${rest.join(" ")} was taken`);
};

describe("parsing", () => {
  test("options may stand anywhere, with = or without, and short", () => {
    for (const rest of [
      ["small", "mine", "--colour", "red", "-s"],
      ["--colour=red", "--shiny", "SMALL", "mine"],
    ]) {
      const { args, options } = parse(sample, rest);
      assert.deepEqual(args, { kind: "SMALL", label: "mine" });
      assert.deepEqual([options["colour"], options["count"], options["shiny"]], ["red", "1", true]);
    }
  });

  test("what is left out is undefined, its fallback, or false", () => {
    const { args, options } = parse(sample, ["BIG", "--colour", "red"]);
    assert.equal(args["label"], undefined);
    assert.deepEqual([options["count"], options["shiny"], options["yes"]], ["1", false, false]);
    assert.equal(options["idempotency-key"], undefined);
  });

  test("everything after -- is an argument, and a value may begin with a hyphen", () => {
    const { args, options } = parse(sample, [
      "BIG",
      "--count",
      "-5",
      "--colour",
      "red",
      "--",
      "-x",
    ]);
    assert.equal(args["label"], "-x");
    assert.equal(options["count"], "-5");
  });

  test("what is missing, too much, twice or unknown is said in a sentence with the help to read", () => {
    assert.match(refusal("BIG"), /^--colour COLOUR is missing\.\nironlease thing make --help$/);
    assert.match(refusal("--colour", "red"), /^KIND is missing: Which\./);
    assert.match(refusal("BIG", "a", "b", "--colour", "red"), /^"b" is one argument too many/);
    assert.match(refusal("BIG", "--colour", "red", "--colour", "blue"), /^--colour is given twice/);
    assert.match(
      refusal("BIG", "--color", "red"),
      /no option --color here\.\nDid you mean --colour/,
    );
    assert.match(refusal("HUGE", "--colour", "red"), /^KIND must be one of BIG, SMALL/);
    assert.match(refusal("BIG", "--colour", "red", "--shiny=yes"), /^--shiny takes no value/);
    assert.match(refusal("BIG", "--constructor"), /no option --constructor/);
  });

  test("an option that swallowed the next one has no value", () => {
    assert.match(refusal("BIG", "--colour", "--yes"), /^--colour needs a COLOUR/);
    assert.match(refusal("BIG", "--colour"), /^--colour needs a COLOUR/);
  });

  test("--resend without the key that was used is refused", () => {
    assert.match(refusal("BIG", "--colour", "red", "--resend"), /^--resend needs/);
  });

  test("--help is answered whatever else is wrong", () => {
    assert.equal(parse(sample, ["--help"]).shared.help, true);
  });
});
