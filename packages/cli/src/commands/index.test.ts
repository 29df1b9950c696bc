import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { dirname } from "node:path";
import { describe, test } from "node:test";
import { commandHelp, synopsis, findCommand, parse, styleFor } from "@ironlease/command-line";
import {
  assets,
  ddosModes,
  eventTypes,
  mailKinds,
  operations,
  scopes,
  terms,
} from "@ironlease/contract";
import { ironlease } from "./index.ts";
import * as vocabulary from "#vocabulary.ts";

const folder = import.meta.dirname;
const { commands: table } = ironlease;

describe("the command table", () => {
  test("each file contains one command, in the folder of its noun", () => {
    const nouns = [
      "accounts",
      "activity",
      "api-keys",
      "catalogue",
      "contact",
      "deposits",
      "idempotency-keys",
      "ledger",
      "liabilities",
      "network",
      "notices",
      "orders",
      "profiles",
      "rates",
      "servers",
      "sessions",
      "ssh-keys",
      "statements",
      "threads",
      "webhooks",
      "withdrawal-addresses",
      "withdrawals",
    ];
    const files = globSync("**/*.ts", { cwd: folder, exclude: ["index*"] });
    const folders = files.map((file) => dirname(file)).filter((noun) => noun !== ".");
    assert.deepEqual([...new Set(folders)].toSorted(), nouns);
    assert.equal(files.length, table.length);
  });

  test("every example parses as its own command", () => {
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

  test("every command's help explains each argument and option", () => {
    const style = styleFor({}, {});
    for (const command of table) {
      const page = commandHelp(ironlease, command, style);
      for (const title of ["Global options", "Examples"]) {
        assert.match(page, new RegExp(`^${title}:$`, "m"), command.words.join(" "));
      }
      for (const { name } of command.arguments ?? []) {
        assert.match(
          page,
          new RegExp(`^  \\[?(?:-- )?${name.toUpperCase()}(?:\\.{3})?\\]? +\\S`, "m"),
        );
      }
      for (const name of Object.keys(command.options ?? {})) {
        assert.match(page, new RegExp(`^  (?:-\\w, | {4})--${name}\\b`, "m"));
      }
      assert.ok(page.startsWith(`Usage: ironlease ${command.words.join(" ")}`));
      assert.ok(synopsis(ironlease, command).startsWith(`ironlease ${command.words.join(" ")}`));
    }
  });

  test("writes with an idempotency key take --idempotency-key and --resend", () => {
    const account = Object.values(operations).filter(({ listener }) => listener === "account");
    const keyed = account.filter(({ idempotency }) => idempotency !== "none");
    const sending = table.filter((command) => command.keyed).map(({ words }) => words.join(" "));
    // Orders, deposit addresses, withdrawals, six actions, the DDoS mode and its quote, cancelling, messages, and `api` for any.
    assert.equal(keyed.length, 9);
    assert.equal(sending.length, 14);
  });

  test("commands that cost money, data or access ask for confirmation", () => {
    const asking = table.filter((command) => command.asks).map(({ words }) => words.join(" "));
    assert.deepEqual(asking, [
      ...[
        "second-factor remove",
        "withdraw",
        "withdrawal-address remove",
        "order create",
        "server reboot",
      ],
      ...["server power-off", "server reinstall"],
      ...[
        "server rotate-root-password",
        "server accept-quote",
        "server cancel",
        "webhook rotate",
        "webhook delete",
        "contact remove",
        "ssh-key remove",
        "key revoke",
        ...["session revoke", "account close"],
      ],
    ]);
  });

  test("every command that changes something declares its fields, so that --get is checked first", () => {
    const reading = table.filter(({ fields }) => fields === undefined);
    assert.deepEqual(
      reading.map(({ words }) => words.join(" ")),
      [
        ...["whoami", "catalogue list", "quote", "deposit list", "deposit watch", "rate list"],
        ...[
          "withdrawal list",
          "withdrawal-address list",
          "withdrawal-lock show",
          "idempotency-key show",
        ],
        ...[
          "ledger list",
          "statement verify",
          "liabilities list",
          "order list",
          "server list",
          "server show",
          ...["server wait", "server ssh"],
        ],
        "network list",
        ...["message list", "message show", "message open", "notice list", "webhook list"],
        ...["webhook deliveries", "contact show", "ssh-key list", "key list", "session list"],
        ...["activity", "account export"],
        ...["open", "profile list", "api", "completion", "__complete"],
      ],
    );
  });

  test("the choices of arguments match the contract", () => {
    assert.deepEqual(vocabulary.assets, assets);
    assert.deepEqual(vocabulary.terms, terms);
    assert.deepEqual(vocabulary.scopes, scopes);
    assert.deepEqual(vocabulary.ddosModes, ddosModes);
    assert.deepEqual(vocabulary.eventTypes, eventTypes);
    assert.deepEqual(vocabulary.mailKinds, mailKinds);
  });
});
