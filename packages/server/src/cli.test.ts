import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, test } from "node:test";
import { findCommand, nameOf, parse, synopsis } from "@ironlease/command-line";
import { runIronleased, temporaryFolder } from "#test/daemon.ts";
import { ironleased } from "./commands/index.ts";

/** Prints the URL of every module that a program loads. */
const tracing = `--import=data:text/javascript,${encodeURIComponent(
  `import { registerHooks } from "node:module";
   registerHooks({ load: (url, context, next) => { process.stderr.write(url + "\\n"); return next(url, context); } });`,
)}`;

for (const option of ["--version", "--help", "backup --help"]) {
  test(`ironleased ${option} loads neither the service nor its settings`, async () => {
    const { code, stderr } = await runIronleased(option.split(" "), { NODE_OPTIONS: tracing });
    assert.equal(code, 0, stderr);
    const files = stderr.split("\n").filter((url) => url.startsWith("file:"));
    const ours = files.filter((url) => !url.includes("/packages/command-line/src/"));
    assert.deepEqual(ours.map((url) => basename(url)).toSorted(), [
      "cli.ts",
      // The columns of the tables that commands print, which help names.
      "columns.ts",
      "columns.ts",
      "columns.ts",
      "command.ts",
      // The tables of commands.
      "index.ts",
      "index.ts",
      "index.ts",
      "index.ts",
      "index.ts",
      "ironleased.js",
      "iso-time.ts",
      "package.json",
      "pinned-node.js",
      "resolve-once.js",
      "run.ts",
      "settings-columns.ts",
      "version.ts",
    ]);
    assert.ok(!files.some((url) => /\/(?:prompts|completion)\//.test(url)), stderr);
  });
}

describe("help", () => {
  for (const command of ironleased.commands) {
    test(`ironleased ${nameOf(command)} --help prints its usage and does nothing else`, async () => {
      const IRONLEASE_DATA = join(temporaryFolder(), "data");
      const cwd = temporaryFolder();
      const argv = [...command.words, "--help"];
      const { code, stdout, stderr } = await runIronleased(argv, { IRONLEASE_DATA }, { cwd });
      assert.equal(code, 0, stderr);
      const usage = `Usage: ${synopsis(ironleased, command)}\n\n${command.summary}\n`;
      assert.ok(stdout.replaceAll(/\n +(?=\[)/g, " ").startsWith(usage), stdout);
      assert.equal(stderr, "");
      assert.deepEqual(readdirSync(cwd), []);
      assert.throws(() => readdirSync(IRONLEASE_DATA), /ENOENT/);
    });
  }

  test("every command has an example that its parser accepts", () => {
    for (const { words, examples } of ironleased.commands) {
      assert.ok(examples.length > 0, words.join(" "));
      for (const { line } of examples) {
        const [, typed = ""] = /ironleased (.*?)(?:[)"]*$| > .*$)/.exec(line) ?? [];
        const found = findCommand(ironleased, typed.split(" "));
        assert.ok(found.kind === "command", line);
        assert.deepEqual(found.command.words, words, line);
        parse(ironleased, found.command, found.rest);
      }
    }
  });

  test("-h anywhere and help COMMAND print the same page", async () => {
    const [long, short, help] = await Promise.all(
      [
        ["operator", "add", "--help"],
        ["operator", "add", "ada", "--role", "admin", "-h"],
        ["help", "operator", "add"],
      ].map((argv) => runIronleased(argv, {})),
    );
    assert.match(long?.stdout ?? "", /^Usage: ironleased operator add NAME .*--role ROLE/s);
    assert.deepEqual(short, long);
    assert.deepEqual(help, long);
  });

  test("a noun with --help lists its commands", async () => {
    const { stdout } = await runIronleased(["operator", "--help"], {});
    assert.match(stdout, /^Usage: ironleased operator COMMAND/);
    for (const verb of ["add NAME", "list", "disable NAME", "enable NAME", "reset NAME"]) {
      assert.match(stdout, new RegExp(`^  ${verb} +\\S`, "m"));
    }
  });

  test("help for an unknown command is exit 2 and suggests the nearest", async () => {
    for (const argv of [
      ["help", "sevre"],
      ["sevre", "--help"],
    ]) {
      const { code, stdout, stderr } = await runIronleased(argv, {});
      assert.equal(code, 2);
      assert.match(
        stderr,
        /^error: Unknown command "sevre"\.\n +Did you mean ironleased serve\?\n/,
      );
      assert.equal(stdout, "");
    }
  });
});

test("backup does not take a mistyped option for a file name", async () => {
  const cwd = temporaryFolder();
  const env = { IRONLEASE_DATA: temporaryFolder() };
  assert.equal((await runIronleased(["migrate"], env)).code, 0);
  const { code, stderr } = await runIronleased(["backup", "--halp"], env, { cwd });
  assert.equal(code, 2);
  assert.match(stderr, /^error: Unknown option --halp\.\n +Did you mean --help\?\n/);
  assert.deepEqual(readdirSync(cwd), []);
});
