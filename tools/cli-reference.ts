import { ironlease } from "#cli/commands/index.ts";
import { exitOfCode, exits } from "#cli/failures/exit-codes.ts";
import { markdownPage, markdownTable } from "@ironlease/reference";
import { commandSections, commandTable, optionTable } from "./command-sections.ts";

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
  [
    "`HTTPS_PROXY`",
    "HTTP proxy for all requests, such as `http://proxy:3128`, except to this machine. The proxy sees the service's name and no content.",
  ],
  ["`NO_PROXY`", "Hosts and domains to connect to directly, separated by commas; `*` for all."],
  ["`NO_COLOR`", "Any value disables colours. They are used only on a terminal."],
];

export const introduction: readonly string[] = [
  "The command line for customers. `--help` prints the same text. Tables are for people; `--json` prints " +
    "the service's response for programs, and adds the `idempotencyKey` of a write. `--output` prints the same as " +
    "YAML, or the columns of a list as CSV, in which no cell can be read as a formula. Results go to " +
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
    commandTable(ironlease),
    "## Global options",
    optionTable(ironlease.globalOptions),
    "## Environment",
    markdownTable(["Variable", "Meaning"], environment),
    "## Exit codes",
    'With `--json`, an error is `{"error":{"code","exitCode","message","fields",…}}` on standard error.',
    markdownTable(["Exit code", "Meaning", "Error codes of the service"], exitRows()),
    ...commandSections(ironlease),
  );
}

function exitRows(): readonly (readonly string[])[] {
  return Object.entries(exits).map(([name, { code, meaning }]) => {
    const codes = Object.entries(exitOfCode).filter(([, exit]) => exit === name);
    return [String(code), meaning, codes.map(([code]) => `\`${code}\``).join(", ")];
  });
}
