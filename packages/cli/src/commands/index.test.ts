import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { dirname } from "node:path";
import { describe, test } from "node:test";
import { assets, ddosModes, operations, scopes, terms } from "@ironlease/contract";
import { commandHelp, synopsis } from "../../../command-line/src/help.ts";
import { findCommand } from "../../../command-line/src/find-command.ts";
import { parse } from "../../../command-line/src/parse.ts";
import { styleFor } from "../../../command-line/src/style.ts";
import * as vocabulary from "../vocabulary.ts";
import { table } from "./index.ts";

const folder = import.meta.dirname;

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
        const found = findCommand(table, argv as string[]);
        assert.ok(found.kind === "command", line);
        assert.deepEqual(found.command.words, words, line);
        parse(found.command, found.rest);
      }
    }
  });

  test("every command has a page that explains each of its arguments and options", () => {
    const style = styleFor({ write: () => true }, {});
    for (const command of table) {
      const page = commandHelp(command, style);
      for (const title of ["NAME", "SYNOPSIS", "OPTIONS OF EVERY COMMAND", "EXAMPLES"]) {
        assert.match(page, new RegExp(`^${title}$`, "m"), command.words.join(" "));
      }
      for (const { name } of command.arguments ?? []) {
        assert.match(page, new RegExp(`^    ${name.toUpperCase()}$`, "m"));
      }
      assert.ok(synopsis(command).startsWith(`ironlease ${command.words.join(" ")}`));
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
