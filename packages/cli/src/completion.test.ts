import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { completionScript, shells } from "@ironlease/command-line/completion";
import { bashOffers, fishOffers, missingShell } from "#test/completion.ts";
import { runShell } from "#test/shell.ts";
import { ironlease } from "./commands/index.ts";

const folder = mkdtempSync(join(tmpdir(), "ironlease-completion-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function written(script: string): string {
  const path = join(folder, "script");
  writeFileSync(path, script);
  return path;
}

const offered = (...words: string[]) => bashOffers(ironlease, words);

describe("completion", () => {
  for (const shell of shells) {
    test(`${shell} parses the script`, { skip: missingShell(shell) }, () => {
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

  const skip = missingShell("bash");

  test("bash completes nouns, verbs, choices and options", { skip }, () => {
    assert.deepEqual(offered("lo"), ["login", "logout"]);
    assert.ok(offered("").includes("server"));
    assert.deepEqual(offered("server", "re"), ["reboot", "reinstall", "renewal"]);
    assert.deepEqual(offered("--json", "key", "r"), ["revoke"]);
    assert.deepEqual(offered("server", "renewal", "web1", "of"), ["off"]);
    assert.deepEqual(offered("quote", "--te"), ["--term"]);
    assert.deepEqual(offered("quote", "--term", ""), ["weekly", "monthly"]);
    assert.deepEqual(offered("server", "reinstall", "--y"), ["--yes"]);
    assert.deepEqual(offered("frobnicate", ""), []);
  });

  test("bash completes an argument's choices at that argument only", { skip }, () => {
    assert.deepEqual(offered("server", "renewal", ""), []);
    assert.deepEqual(offered("server", "renewal", "web1", ""), ["on", "off"]);
    assert.deepEqual(offered("server", "renewal", "web1", "on", ""), []);
    assert.deepEqual(offered("server", "reboot", "web1", ""), []);
    assert.deepEqual(offered("server", "frobnicate", ""), []);
    assert.deepEqual(offered("completion", ""), ["bash", "zsh", "fish"]);
    assert.deepEqual(offered("completion", "bash", ""), []);
    const file = import.meta.filename;
    assert.deepEqual(offered("ssh-key", "add", file.slice(0, -3)), []);
    assert.deepEqual(offered("ssh-key", "add", "a", file.slice(0, -3)), [file]);
  });

  test("bash does not treat an option's value as part of the command", { skip }, () => {
    const words = ["server", "renewal", "web1", ""];
    assert.deepEqual(offered("--profile", "work", ...words), ["on", "off"]);
    assert.deepEqual(offered("--profile", "=", "work", ...words), ["on", "off"]);
    assert.deepEqual(offered("--profile", "work", "key", "r"), ["revoke"]);
  });

  test("bash offers files where a file is meant", { skip }, () => {
    const [file] = offered("login", "--ca", import.meta.filename.slice(0, -3));
    assert.equal(file, import.meta.filename);
  });

  test("fish offers the same", { skip: missingShell("fish") }, () => {
    const offer = (...words: string[]) => fishOffers(ironlease, words);
    assert.deepEqual(offer("server", "re"), ["reboot", "reinstall", "renewal"]);
    assert.deepEqual(offer("quote", "--term", ""), ["monthly", "weekly"]);
    assert.deepEqual(offer("server", "reinstall", "web1", "--y"), ["--yes"]);
    assert.deepEqual(offer("--profile", "work", "server", "renewal", "web1", "o"), ["off", "on"]);
    assert.deepEqual(offer("server", "renewal", "o"), []);
  });
});
