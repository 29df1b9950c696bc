import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { openCliHarness, type CliHarness } from "#test/cli-harness.ts";
import { temporaryFolder } from "#test/daemon.ts";
import { fetchOldestNode, installPackage } from "#test/packages.ts";
import { password } from "#test/service.ts";

const execute = promisify(execFile);

describe("the packed command line, installed globally", () => {
  let harness: CliHarness;
  let command: string;
  let folder: string;
  let nodes: readonly string[];
  before(async () => {
    const installed = await installPackage("cli", "globally");
    command = join(installed.bin, "ironlease");
    folder = dirname(dirname(realpathSync(command)));
    nodes = [process.execPath, await fetchOldestNode()];
    harness = await openCliHarness();
  });
  after(() => harness.close());

  /** As a shell would start it: through the link in the folder of commands, with this Node first on the path. */
  function ironlease(node: string, argv: readonly string[], home: string, input = "") {
    const env = { PATH: `${dirname(node)}:/usr/bin:/bin`, HOME: home };
    const run = execute(command, argv, { cwd: home, env });
    run.child.stdin?.end(input);
    return run;
  }

  test("is one file of JavaScript with manual, completion scripts and licenses, and no dependencies", () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
    assert.deepEqual(files.toSorted(), [
      "LICENSE",
      "README.md",
      "THIRD-PARTY-LICENSES.txt",
      "bin/ironlease.js",
      "completions/ironlease.bash",
      "completions/ironlease.fish",
      "completions/ironlease.zsh",
      "man/ironlease.1",
      "package.json",
    ]);
    const modules = dirname(dirname(folder));
    assert.deepEqual(readdirSync(modules), ["@ironlease"]);
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as object;
    assert.deepEqual(
      Object.keys(manifest).filter((key) => /depend|scripts|imports|publish/i.test(key)),
      [],
    );
    const licenses = readFileSync(join(folder, "THIRD-PARTY-LICENSES.txt"), "utf8");
    assert.match(licenses, /^@noble\/curves .* \(MIT\)$/m);
    assert.match(licenses, /Permission is hereby granted/);
    const manual = join(dirname(dirname(command)), "share/man/man1/ironlease.1");
    assert.ok(lstatSync(manual).isSymbolicLink());
  });

  test("registers, reads, writes and signs out on the pinned Node and on Node 20", async () => {
    const majors: string[] = [];
    for (const [index, node] of nodes.entries()) {
      const home = temporaryFolder();
      const url = ["--url", harness.daemon.url, "--ca", harness.ca];
      const name = `packed${index}`;
      const register = ["register", name, ...url, "--password-stdin"];
      await ironlease(node, register, home, `${password}\n`);
      const whoami = await ironlease(node, ["whoami", "--get", "username"], home);
      assert.equal(whoami.stdout, `${name}\n`);
      const deposit = await ironlease(node, ["deposit", "create", "BTC", "--json"], home);
      assert.match((JSON.parse(deposit.stdout) as { address: string }).address, /^sim-btc-/);
      const statement = await ironlease(node, ["catalogue", "list", "--json"], home);
      assert.notDeepEqual((JSON.parse(statement.stdout) as { offers?: unknown[] }).offers, []);
      for (const shell of ["bash", "zsh", "fish"]) {
        const { stdout } = await ironlease(node, ["completion", shell], home);
        assert.equal(stdout.trim(), scriptOf(shell).trim());
      }
      await ironlease(node, ["logout"], home);
      const { stdout } = await execute(node, ["--version"]);
      majors.push(stdout.split(".")[0] ?? "");
    }
    assert.deepEqual(majors, ["v26", "v20"]);
  });

  function scriptOf(shell: string): string {
    return readFileSync(join(folder, "completions", `ironlease.${shell}`), "utf8");
  }

  test("an unknown command exits with 2 and an unreachable service with its own code", async () => {
    for (const node of nodes) {
      const home = temporaryFolder();
      await assert.rejects(ironlease(node, ["frobnicate"], home), { code: 2 });
      const nowhere = ["catalogue", "list", "--url", "https://127.0.0.1:9", "--timeout", "2"];
      await assert.rejects(ironlease(node, nowhere, home), (error: Error & { code: number }) => {
        assert.ok(error.code > 2, String(error.code));
        assert.match(error.message, /127\.0\.0\.1:9/);
        return true;
      });
    }
  });
});
