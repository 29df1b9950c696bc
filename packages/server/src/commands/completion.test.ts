import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { completionScript, shells } from "@ironlease/command-line/completion";
import { bashOffers, missingShell } from "#test/completion.ts";
import { runIronleased, temporaryFolder } from "#test/daemon.ts";
import { runShell } from "#test/shell.ts";
import { ironleased } from "./index.ts";

const offered = (...words: string[]) => bashOffers(ironleased, words);

describe("ironleased completion", () => {
  for (const shell of shells) {
    test(`prints a script for ${shell} that names every command and option`, async () => {
      const { code, stdout, stderr } = await runIronleased(["completion", shell], {});
      assert.deepEqual([code, stderr], [0, ""]);
      assert.equal(stdout, `${completionScript(shell, ironleased)}\n`);
      for (const { words, options = {} } of ironleased.commands) {
        for (const word of [...words, ...Object.keys(options)]) {
          assert.ok(stdout.includes(word), word);
        }
      }
    });

    test(`${shell} accepts the script`, { skip: missingShell(shell) }, () => {
      const path = join(temporaryFolder(), "script");
      writeFileSync(path, completionScript(shell, ironleased));
      const { status, stderr } = runShell(shell, ["-n", path]);
      assert.deepEqual([status, stderr], [0, ""]);
    });
  }

  test("refuses another shell and names those it knows", async () => {
    const { code, stderr } = await runIronleased(["completion", "tcsh"], {});
    assert.equal(code, 2);
    assert.match(stderr, /SHELL must be one of bash, zsh, fish/);
  });

  test("bash offers nouns, verbs, choices and options", { skip: missingShell("bash") }, () => {
    assert.deepEqual(offered("op"), ["operator"]);
    const verbs = ["add", "list", "disable", "enable", "role", "networks", "reset"];
    assert.deepEqual(offered("operator", ""), verbs);
    assert.deepEqual(offered("operator", "add", "ada", "--r"), ["--role"]);
    assert.deepEqual(offered("operator", "add", "ada", "--role", "f"), ["finance"]);
    assert.deepEqual(offered("renewals", "run", "--d"), ["--dry-run"]);
    assert.deepEqual(offered("completion", ""), [...shells]);
    assert.deepEqual(offered("frobnicate", ""), []);
  });

  test("bash offers files to import", { skip: missingShell("bash") }, () => {
    const file = import.meta.filename;
    assert.deepEqual(offered("machines", "import", file.slice(0, -3)), [file]);
    assert.deepEqual(offered("operator", "disable", file.slice(0, -3)), []);
  });
});
