import { ironlease } from "../packages/cli/src/commands/index.ts";
import { exitOfCode, exits } from "../packages/cli/src/failures/exit-codes.ts";
import type { Command } from "../packages/command-line/src/command.ts";
import { explained, synopsis } from "../packages/command-line/src/help.ts";
import type { Options } from "../packages/command-line/src/option.ts";
import { page, table } from "./markdown.ts";

const { commands, globalOptions } = ironlease;

const environment = [
  ["`IRONLEASE_URL`", "Where the service is, when no `--url` and no `--profile` is given."],
  [
    "`IRONLEASE_API_KEY`",
    "An API key to read with. While it is set nothing is changed and no session is used; `register`, `login` and `recover` do without it.",
  ],
  [
    "`XDG_CONFIG_HOME`",
    "Profiles and sessions are in `ironlease/profiles.json` under it, else under `~/.config`. The file is its owner's alone (mode 0600): one that others could read is mended with a warning.",
  ],
  ["`NO_COLOR`", "Set to anything, no colours. There are none outside a terminal anyway."],
];

/** The reference of the `ironlease` command, made from its table. */
export function cliReference(): string {
  return page(
    "ironlease",
    "The command line for customers. Every command takes `--help` and says the same there. Tables are " +
      "for people; `--json` is for programs and prints what the service answered, and for writes the " +
      "`idempotencyKey` with it. Answers go to standard output; questions, errors and the idempotency " +
      "key of a write go to standard error. A script that must survive being killed gives its own " +
      "`--idempotency-key`; for a withdrawal, see [`withdraw`](#ironlease-withdraw).",
    "## Commands",
    table(
      ["Command", ""],
      commands.map(({ words, summary }) => [
        `[\`${words.join(" ")}\`](#ironlease-${words.join("-")})`,
        summary,
      ]),
    ),
    "## Options of every command",
    optionTable(globalOptions),
    "## Environment",
    table(["Variable", "Meaning"], environment),
    "## Exit codes",
    'With `--json` an error is `{"error":{"code","exitCode","message","fields",…}}` on standard error.',
    table(["Exit", "Meaning", "Codes of the service"], exitRows()),
    ...commands.map(commandSection),
  );
}

function exitRows(): readonly (readonly string[])[] {
  return Object.entries(exits).map(([name, { code, meaning }]) => {
    const codes = Object.entries(exitOfCode).filter(([, exit]) => exit === name);
    return [String(code), meaning, codes.map(([code]) => `\`${code}\``).join(", ")];
  });
}

function commandSection(command: Command): string {
  const {
    words,
    summary,
    description = [],
    arguments: args = [],
    options = {},
    examples,
  } = command;
  const rows = args.map((argument) => [
    `\`${argument.name.toUpperCase()}\``,
    `${explained(argument)}${argument.optional ? " May be left out." : ""}`,
  ]);
  return [
    `## ironlease ${words.join(" ")}`,
    summary,
    fenced(synopsis(ironlease, command)),
    ...description,
    ...(rows.length === 0 ? [] : [table(["Argument", "Meaning"], rows)]),
    ...(Object.keys(options).length === 0 ? [] : [optionTable(options)]),
    ...examples.flatMap(({ line, meaning }) => [meaning, fenced(line)]),
  ].join("\n\n");
}

function optionTable(options: Options): string {
  const rows = Object.entries(options).map(([name, option]) => {
    const short = option.short === undefined ? "" : `\`-${option.short}\`, `;
    const value = option.value === undefined ? "" : ` ${option.value}`;
    return [`${short}\`--${name}${value}\``, explained(option)];
  });
  return table(["Option", "Meaning"], rows);
}

function fenced(text: string): string {
  return `\`\`\`sh\n${text}\n\`\`\``;
}
