import { ironlease } from "#cli/commands/index.ts";
import { exitOfCode, exits } from "#cli/failures/exit-codes.ts";
import { shownCommands, type Command } from "#command-line/command.ts";
import { explained, synopsis } from "#command-line/help.ts";
import type { Options } from "#command-line/option.ts";
import { markdownPage, markdownTable } from "@ironlease/reference";

const { globalOptions } = ironlease;
const commands = shownCommands(ironlease);

export const environment: readonly (readonly [name: string, meaning: string])[] = [
  ["`IRONLEASE_URL`", "Address of the service. `--url` and `--profile` take precedence."],
  [
    "`IRONLEASE_API_KEY`",
    "API key for reads. While it is set, commands that need a session are refused; `register`, `login` and `recover` ignore it.",
  ],
  [
    "`XDG_CONFIG_HOME`",
    "Folder of `ironlease/profiles.json`, which holds profiles and sessions. Default: `~/.config`. Only its owner may read the file (mode 0600); if others can, ironlease restricts it and warns.",
  ],
  ["`NO_COLOR`", "Any value disables colours. They are used only on a terminal."],
];

export const introduction: readonly string[] = [
  "The command line for customers. `--help` prints the same text. Tables are for people; `--json` prints " +
    "the service's response for programs, and adds the `idempotencyKey` of a write. Results go to " +
    "standard output. Prompts, errors and the idempotency key of a write go to standard error. A script " +
    "that must survive being killed should pass its own `--idempotency-key`; for withdrawals, see " +
    "[`withdraw`](#ironlease-withdraw).",
];

/** The reference page of `ironlease`, generated from its table of commands. */
export function cliReference(): string {
  return markdownPage(
    "ironlease",
    ...introduction,
    "## Commands",
    markdownTable(
      ["Command", ""],
      commands.map(({ words, summary }) => [
        `[\`${words.join(" ")}\`](#ironlease-${words.join("-")})`,
        summary,
      ]),
    ),
    "## Global options",
    optionTable(globalOptions),
    "## Environment",
    markdownTable(["Variable", "Meaning"], environment),
    "## Exit codes",
    'With `--json`, an error is `{"error":{"code","exitCode","message","fields",…}}` on standard error.',
    markdownTable(["Exit code", "Meaning", "Error codes of the service"], exitRows()),
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
    columns = [],
    examples,
  } = command;
  const rows = args.map((argument) => [
    `\`${argument.name.toUpperCase()}\``,
    `${explained(argument)}${argument.optional ? " Optional." : ""}`,
  ]);
  return [
    `## ironlease ${words.join(" ")}`,
    summary,
    fenced(synopsis(ironlease, command)),
    ...description,
    ...(rows.length === 0 ? [] : [markdownTable(["Argument", "Meaning"], rows)]),
    ...(Object.keys(options).length === 0 ? [] : [optionTable(options)]),
    ...(columns.length === 0
      ? []
      : [`Columns: ${columns.map(({ field }) => `\`${field}\``).join(", ")}.`]),
    ...examples.flatMap(({ line, meaning }) => [meaning, fenced(line)]),
  ].join("\n\n");
}

function optionTable(options: Options): string {
  const rows = Object.entries(options).map(([name, option]) => {
    const short = option.short === undefined ? "" : `\`-${option.short}\`, `;
    const value = option.value === undefined ? "" : ` ${option.value}`;
    return [`${short}\`--${name}${value}\``, explained(option)];
  });
  return markdownTable(["Option", "Meaning"], rows);
}

function fenced(text: string): string {
  return `\`\`\`sh\n${text}\n\`\`\``;
}
