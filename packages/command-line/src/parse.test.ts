import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Command, Program } from "./command.ts";
import { parse } from "./parse.ts";
import { UsageError } from "./usage-error.ts";

const sample: Command = {
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
  examples: [],
};
const program: Program = {
  name: "tool",
  summary: "Makes things.",
  commands: [sample],
  globalOptions: { help: { short: "h", meaning: "Show this help." } },
  firstSteps: { title: "Get started", lines: [] },
  notes: [],
};

const refusal = (...rest: string[]) => {
  try {
    parse(program, sample, rest);
  } catch (error) {
    assert.ok(error instanceof UsageError);
    return [error.message, ...error.advice].join("\n");
  }
  return assert.fail(`${rest.join(" ")} was accepted`);
};

describe("parsing", () => {
  test("options may appear anywhere, with = or without, and in short form", () => {
    for (const rest of [
      ["small", "mine", "--colour", "red", "-s"],
      ["--colour=red", "--shiny", "SMALL", "mine"],
    ]) {
      const { args, options } = parse(program, sample, rest);
      assert.deepEqual(args, { kind: "SMALL", label: "mine" });
      assert.deepEqual([options["colour"], options["count"], options["shiny"]], ["red", "1", true]);
    }
  });

  test("an option that is left out is undefined, its default, or false", () => {
    const { args, options } = parse(program, sample, ["BIG", "--colour", "red"]);
    assert.equal(args["label"], undefined);
    assert.deepEqual([options["count"], options["shiny"], options["help"]], ["1", false, false]);
  });

  test("everything after -- is an argument, and a value may begin with a hyphen", () => {
    const { args, options } = parse(program, sample, [
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

  test("an error says what is wrong and names the help page", () => {
    assert.match(refusal("BIG"), /^--colour COLOUR is required\.\ntool thing make --help$/);
    assert.match(refusal("--colour", "red"), /^KIND is required: Which\./);
    assert.match(refusal("BIG", "a", "b", "--colour", "red"), /^Unexpected argument "b"\./);
    assert.match(refusal("BIG", "--colour", "red", "--colour", "blue"), /^--colour is given twice/);
    assert.match(
      refusal("BIG", "--color", "red"),
      /^Unknown option --color\.\nDid you mean --colour\?/,
    );
    assert.match(refusal("HUGE", "--colour", "red"), /^KIND must be one of BIG, SMALL/);
    assert.match(refusal("BIG", "--colour", "red", "--shiny=yes"), /^--shiny takes no value/);
    assert.match(refusal("BIG", "--constructor"), /^Unknown option --constructor/);
  });

  test("an option never uses the next option as its value", () => {
    assert.match(refusal("BIG", "--colour", "--shiny"), /^--colour needs a value: COLOUR\./);
    assert.match(refusal("BIG", "--colour"), /^--colour needs a value: COLOUR\./);
  });

  test("--help takes precedence over every error, but not after --", () => {
    for (const rest of [["--help"], ["-h"], ["a", "b", "c", "--nonsense", "--help"]]) {
      assert.equal(parse(program, sample, rest).isHelp, true);
    }
    assert.equal(parse(program, sample, ["BIG", "--colour", "red", "--", "--help"]).isHelp, false);
  });

  test("an argument for many values takes everything that is left, options after -- included", () => {
    const runs = {
      ...sample,
      options: {},
      arguments: [
        { name: "thing", meaning: "Which." },
        { name: "command", optional: true, many: true, meaning: "What to run." },
      ],
    } as const;
    const argsOf = (...rest: string[]) => parse(program, runs, rest).args;
    assert.deepEqual(argsOf("a"), { thing: "a", command: [] });
    assert.deepEqual(argsOf("a", "--", "ls", "--help", "--", "-x"), {
      thing: "a",
      command: ["ls", "--help", "--", "-x"],
    });
    assert.equal(parse(program, runs, ["a", "--help", "--", "ls"]).isHelp, true);
  });
});
