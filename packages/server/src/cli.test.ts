import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, test } from "node:test";
import { runIronleased, temporaryFolder } from "#test/daemon.ts";
import { commands } from "./commands/index.ts";

/** Prints the address of every module that a program loads. */
const tracing = `--import=data:text/javascript,${encodeURIComponent(
  `import { registerHooks } from "node:module";
   registerHooks({ load: (url, context, next) => { process.stderr.write(url + "\\n"); return next(url, context); } });`,
)}`;

for (const option of ["--version", "--help", "backup --help"]) {
  test(`ironleased ${option} loads neither the server nor its settings`, async () => {
    const { code, stderr } = await runIronleased(option.split(" "), { NODE_OPTIONS: tracing });
    assert.equal(code, 0, stderr);
    const files = stderr.split("\n").filter((url) => url.startsWith("file:"));
    assert.deepEqual(files.map((url) => basename(url)).toSorted(), [
      "cli.ts",
      "index.ts",
      "ironleased.js",
      "pinned-node.js",
      "version.ts",
    ]);
  });
}

describe("help of one command", () => {
  for (const [name, { usage, summary }] of Object.entries(commands)) {
    test(`ironleased ${name} --help prints its usage and does nothing else`, async () => {
      const IRONLEASE_DATA = join(temporaryFolder(), "data");
      const cwd = temporaryFolder();
      const line = ["Usage: ironleased", name, usage].filter((part) => part !== undefined);
      const argv = [...name.split(" "), "--help"];
      const { code, stdout, stderr } = await runIronleased(argv, { IRONLEASE_DATA }, { cwd });
      assert.equal(code, 0, stderr);
      assert.ok(stdout.startsWith(`${line.join(" ")}\n\n${summary}\n`), stdout);
      assert.equal(stderr, "");
      assert.deepEqual(readdirSync(cwd), []);
      assert.throws(() => readdirSync(IRONLEASE_DATA), /ENOENT/);
    });
  }

  test("every option that a usage names is explained, and no other", () => {
    for (const [name, { usage = "", options = {} }] of Object.entries(commands)) {
      const named = usage.match(/--[a-z-]+/g) ?? [];
      const explained = Object.keys(options).map((option) => option.split(" ")[0]);
      assert.deepEqual(explained, named, name);
    }
  });

  test("-h anywhere and help COMMAND print the same", async () => {
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

  test("a noun alone prints the help of each of its verbs", async () => {
    const { stdout } = await runIronleased(["operator", "--help"], {});
    const shown = stdout.match(/^Usage: ironleased operator \S+/gm);
    assert.equal(shown?.length, 5, stdout);
  });

  test("help of an unknown command is exit 2", async () => {
    for (const argv of [
      ["help", "sevre"],
      ["sevre", "--help"],
    ]) {
      const { code, stdout, stderr } = await runIronleased(argv, {});
      assert.equal(code, 2);
      assert.match(stderr, /^ironleased: there is no command sevre\n/);
      assert.equal(stdout, "");
    }
  });
});

test("backup takes a mistyped option for no file name", async () => {
  const cwd = temporaryFolder();
  const env = { IRONLEASE_DATA: temporaryFolder() };
  assert.equal((await runIronleased(["migrate"], env)).code, 0);
  const { code, stderr } = await runIronleased(["backup", "--halp"], env, { cwd });
  assert.equal(code, 2);
  assert.match(stderr, /Usage: ironleased backup FILE/);
  assert.deepEqual(readdirSync(cwd), []);
});
