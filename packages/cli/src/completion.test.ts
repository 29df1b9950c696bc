import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { completionScript, shells } from "@ironlease/command-line/completion";
import { runShell } from "#test/shell.ts";
import { ironlease } from "./commands/index.ts";

const folder = mkdtempSync(join(tmpdir(), "ironlease-completion-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const isInstalled = (shell: string) => runShell(shell, ["-c", "exit 0"]).status === 0;

function written(script: string): string {
  const path = join(folder, "script");
  writeFileSync(path, script);
  return path;
}

/** The completions that bash offers for the last of these words. */
function offered(...words: string[]): string[] {
  const quoted = words.map((word) => `'${word}'`).join(" ");
  const script = `${completionScript("bash", ironlease)}
COMP_WORDS=(${quoted}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _ironlease
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = runShell("bash", ["-u", "-c", script]);
  assert.equal(status, 0, stderr);
  assert.equal(stderr, "");
  return stdout.split("\n").filter((word) => word !== "");
}

describe("completion", () => {
  for (const shell of shells) {
    const skipShell = !isInstalled(shell) && `${shell} is not installed`;
    test(`${shell} parses the script`, { skip: skipShell }, () => {
      const path = written(completionScript(shell, ironlease));
      const { status, stderr } = runShell(shell, ["-n", path]);
      assert.equal(status, 0, stderr);
      assert.equal(stderr, "");
    });

    test(`the script for ${shell} contains every command and option`, () => {
      const script = completionScript(shell, ironlease);
      for (const { words, options = {} } of ironlease.commands) {
        for (const word of words) assert.ok(script.includes(word), word);
        for (const option of Object.keys(options)) assert.ok(script.includes(option), option);
      }
    });
  }

  const skip = !isInstalled("bash") && "bash is not installed";

  test("bash completes nouns, verbs, choices and options", { skip }, () => {
    assert.deepEqual(offered("ironlease", "lo"), ["login", "logout"]);
    assert.ok(offered("ironlease", "").includes("server"));
    assert.deepEqual(offered("ironlease", "server", "re"), ["reboot", "reinstall", "renewal"]);
    assert.deepEqual(offered("ironlease", "--json", "key", "r"), ["revoke"]);
    assert.deepEqual(offered("ironlease", "server", "renewal", "web1", "of"), ["off"]);
    assert.deepEqual(offered("ironlease", "quote", "--te"), ["--term"]);
    assert.deepEqual(offered("ironlease", "quote", "--term", ""), ["weekly", "monthly"]);
    assert.deepEqual(offered("ironlease", "server", "reinstall", "--y"), ["--yes"]);
    assert.deepEqual(offered("ironlease", "frobnicate", ""), []);
  });

  test("bash completes an argument's choices at that argument only", { skip }, () => {
    assert.deepEqual(offered("ironlease", "server", "renewal", ""), []);
    assert.deepEqual(offered("ironlease", "server", "renewal", "web1", ""), ["on", "off"]);
    assert.deepEqual(offered("ironlease", "server", "renewal", "web1", "on", ""), []);
    assert.deepEqual(offered("ironlease", "server", "reboot", "web1", ""), []);
    assert.deepEqual(offered("ironlease", "server", "frobnicate", ""), []);
    assert.deepEqual(offered("ironlease", "completion", ""), ["bash", "zsh", "fish"]);
    assert.deepEqual(offered("ironlease", "completion", "bash", ""), []);
    const file = import.meta.filename;
    assert.deepEqual(offered("ironlease", "ssh-key", "add", file.slice(0, -3)), []);
    assert.deepEqual(offered("ironlease", "ssh-key", "add", "a", file.slice(0, -3)), [file]);
  });

  test("bash does not treat an option's value as part of the command", { skip }, () => {
    const words = ["server", "renewal", "web1", ""];
    assert.deepEqual(offered("ironlease", "--profile", "work", ...words), ["on", "off"]);
    assert.deepEqual(offered("ironlease", "--profile", "=", "work", ...words), ["on", "off"]);
    assert.deepEqual(offered("ironlease", "--profile", "work", "key", "r"), ["revoke"]);
  });

  test("bash completes file names for options that take a file", { skip }, () => {
    const [file] = offered("ironlease", "login", "--ca", import.meta.filename.slice(0, -3));
    assert.equal(file, import.meta.filename);
  });

  test(
    "fish completes the same words",
    { skip: !isInstalled("fish") && "fish is not installed" },
    () => {
      const offer = (line: string) => {
        const path = written(`${completionScript("fish", ironlease)}\ncomplete -C '${line}'`);
        const { stdout } = runShell("fish", [path]);
        return stdout
          .trimEnd()
          .split("\n")
          .map((word) => word.split("\t")[0]);
      };
      assert.deepEqual(offer("ironlease server re"), ["reboot", "reinstall", "renewal"]);
      assert.deepEqual(offer("ironlease quote --term "), ["monthly", "weekly"]);
      assert.deepEqual(offer("ironlease server reinstall web1 --y"), ["--yes"]);
      assert.deepEqual(offer("ironlease --profile work server renewal web1 o"), ["off", "on"]);
      assert.deepEqual(offer("ironlease server renewal o"), [""]);
    },
  );
});
