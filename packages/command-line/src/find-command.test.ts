import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Command, Program } from "./command.ts";
import { findCommand } from "./find-command.ts";
import { UsageError } from "./usage-error.ts";

const command = (line: string): Command => ({
  words: line.split(" "),
  summary: "Does it.",
  examples: [],
});

const program: Program = {
  name: "tool",
  summary: "Does things.",
  commands: ["login", "whoami", "server list", "server show", "server reboot"].map(command),
  globalOptions: {
    json: { meaning: "Print JSON." },
    profile: { value: "NAME", meaning: "Use this profile." },
    help: { short: "h", meaning: "Show this help." },
  },
  firstSteps: { title: "Get started", lines: [] },
  notes: [],
};

const find = (line: string) => findCommand(program, line === "" ? [] : line.split(" "));

const refusal = (line: string) => {
  try {
    find(line);
  } catch (error) {
    assert.ok(error instanceof UsageError);
    return [error.message, ...error.advice].join("\n");
  }
  return assert.fail(`${line} was found`);
};

describe("finding a command", () => {
  test("global options may precede its words", () => {
    for (const line of [
      "server show srv_1 --json",
      "--json server show srv_1",
      "--profile work server --json show srv_1",
    ]) {
      const found = find(line);
      assert.ok(found.kind === "command");
      assert.deepEqual(found.command.words, ["server", "show"]);
      assert.ok(found.rest.includes("srv_1") && !found.rest.includes("show"));
    }
  });

  test("an option's value is never mistaken for a command", () => {
    const found = find("--profile server whoami");
    assert.ok(found.kind === "command");
    assert.deepEqual(found.command.words, ["whoami"]);
    assert.deepEqual(found.rest, ["--profile", "server"]);
  });

  test("a mistyped command suggests the nearest one, even if noun and verb are swapped", () => {
    assert.match(
      refusal("sever list"),
      /^Unknown command "sever"\.\nDid you mean tool server list/,
    );
    assert.match(
      refusal("server rebot"),
      /^Unknown command "server rebot"\.\nDid you mean tool server reboot/,
    );
    assert.match(refusal("list servers"), /mean tool server list\?/);
    assert.match(refusal("logni"), /mean tool login\?/);
    assert.match(refusal("servers list"), /mean tool server list\?/);
    assert.doesNotMatch(refusal("frobnicate"), /mean/);
  });

  test("a noun alone lists its verbs", () => {
    assert.equal(
      refusal("server"),
      "tool server needs a command: list, show, reboot.\ntool server --help",
    );
  });

  test("help covers the program, a noun or a command, in either order", () => {
    const count = (line: string) => {
      const found = find(line);
      return found.kind === "help" ? found.commands.length : 0;
    };
    for (const line of ["", "--help", "help"]) assert.equal(count(line), 5, line);
    for (const line of ["help server", "server --help"]) assert.equal(count(line), 3, line);
    assert.equal(count("help server reboot"), 1);
    for (const line of ["--version", "-v", "version"]) assert.equal(find(line).kind, "version");
  });
});
