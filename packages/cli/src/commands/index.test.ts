import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { dirname } from "node:path";
import { describe, test } from "node:test";
import { commandHelp, synopsis, findCommand, parse, styleFor } from "@ironlease/command-line";
import { assets, ddosModes, operations, scopes, terms } from "@ironlease/contract";
import { ironlease } from "./index.ts";
import * as vocabulary from "#vocabulary.ts";

const folder = import.meta.dirname;
const { commands: table } = ironlease;

describe("the table of commands", () => {
  test("each file is one command, in the folder of its noun", () => {
    const nouns = [
      "accounts",
      "api-keys",
      "catalogue",
      "deposits",
      "ledger",
      "network",
      "orders",
      "profiles",
      "servers",
      "sessions",
      "ssh-keys",
      "withdrawals",
    ];
    const files = globSync("**/*.ts", { cwd: folder, exclude: ["index*"] });
    const folders = files.map((file) => dirname(file)).filter((noun) => noun !== ".");
    assert.deepEqual([...new Set(folders)].toSorted(), nouns);
    assert.equal(files.length, table.length);
  });

  test("every example is a line that its command takes", () => {
    for (const { words, examples } of table) {
      assert.ok(examples.length > 0, words.join(" "));
      for (const { line } of examples) {
        const [, typed = ""] = /ironlease (.*?)(?:[)"]*$| [<>] .*$)/.exec(line) ?? [];
        const argv = [...typed.matchAll(/'([^']*)'|(\S+)/g)].map(([, one, other]) => one ?? other);
        const found = findCommand(ironlease, argv as string[]);
        assert.ok(found.kind === "command", line);
        assert.deepEqual(found.command.words, words, line);
        parse(ironlease, found.command, found.rest);
      }
    }
  });

  test("every command has a page that explains each of its arguments and options", () => {
    const style = styleFor({}, {});
    for (const command of table) {
      const page = commandHelp(ironlease, command, style);
      for (const title of ["Global options", "Examples"]) {
        assert.match(page, new RegExp(`^${title}:$`, "m"), command.words.join(" "));
      }
      for (const { name } of command.arguments ?? []) {
        assert.match(page, new RegExp(`^  \\[?${name.toUpperCase()}\\]? +\\S`, "m"));
      }
      for (const name of Object.keys(command.options ?? {})) {
        assert.match(page, new RegExp(`^  (?:-\\w, | {4})--${name}\\b`, "m"));
      }
      assert.ok(page.startsWith(`Usage: ironlease ${command.words.join(" ")}`));
      assert.ok(synopsis(ironlease, command).startsWith(`ironlease ${command.words.join(" ")}`));
    }
  });

  test("a write with an idempotency key has the options to send it again", () => {
    const account = Object.values(operations).filter(({ listener }) => listener === "account");
    const keyed = account.filter(({ idempotency }) => idempotency !== "none");
    const sending = table.filter((command) => command.keyed).map(({ words }) => words.join(" "));
    // Orders, addresses, withdrawals, six actions, the DDoS mode, and api for all of them.
    assert.equal(keyed.length, 5);
    assert.equal(sending.length, 11);
  });

  test("what costs money, data or access asks first", () => {
    const asking = table.filter((command) => command.asks).map(({ words }) => words.join(" "));
    assert.deepEqual(asking, [
      ...["withdraw", "order create", "server reboot", "server power-off", "server reinstall"],
      ...["server rotate-root-password", "ssh-key remove", "key revoke", "session revoke"],
    ]);
  });

  test("what changes something names its fields, so that --get is checked before", () => {
    const reading = table.filter(({ fields }) => fields === undefined);
    assert.deepEqual(
      reading.map(({ words }) => words.join(" ")),
      [
        ...["whoami", "catalogue list", "quote", "deposit list", "deposit watch", "ledger list"],
        ...["order list", "server list", "server show", "network list", "ssh-key list"],
        ...["key list", "session list", "profile list", "api", "completion"],
      ],
    );
  });

  test("the words that can be chosen are the contract's", () => {
    assert.deepEqual(vocabulary.assets, assets);
    assert.deepEqual(vocabulary.terms, terms);
    assert.deepEqual(vocabulary.scopes, scopes);
    assert.deepEqual(vocabulary.ddosModes, ddosModes);
  });
});
