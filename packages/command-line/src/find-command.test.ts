import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { table } from "../../cli/src/commands/index.ts";
import { CommandFailure } from "../../cli/src/failures/failure.ts";
import { findCommand } from "./find-command.ts";

const find = (line: string) => findCommand(table, line === "" ? [] : line.split(" "));

const advice = (line: string) => {
  try {
    find(line);
  } catch (error) {
    assert.ok(error instanceof CommandFailure);
    assert.equal(error.failure.exit, "usage");
    return (error.failure.advice ?? []).join("\n");
  }
  return assert.fail(`${line} was found`);
};

describe("finding a command", () => {
  test("global options may come before its words", () => {
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

  test("a value that is called like a command is none", () => {
    const found = find("--profile server whoami");
    assert.ok(found.kind === "command");
    assert.deepEqual(found.command.words, ["whoami"]);
    assert.deepEqual(found.rest, ["--profile", "server"]);
  });

  test("the nearest command is suggested, also when noun and verb are swapped", () => {
    assert.match(advice("sever list"), /mean ironlease server list\?/);
    assert.match(advice("server rebot"), /mean ironlease server reboot\?/);
    assert.match(advice("list servers"), /mean ironlease server list\?/);
    assert.match(advice("logni"), /mean ironlease login\?/);
    assert.match(advice("servers list"), /mean ironlease server list\?/);
    assert.doesNotMatch(advice("frobnicate"), /mean/);
  });

  test("a noun alone says what can be done with it", () => {
    assert.match(advice("server"), /ironlease server --help/);
  });

  test("help is on everything, on a noun or on a command, in either order", () => {
    const count = (line: string) => {
      const found = find(line);
      return found.kind === "help" ? found.commands.length : 0;
    };
    assert.equal(count(""), table.length);
    assert.equal(count("--help"), table.length);
    assert.equal(count("help"), table.length);
    assert.ok(count("help server") > 5 && count("server --help") > 5);
    assert.equal(count("help server reboot"), 1);
    assert.equal(find("--version").kind, "version");
  });
});
