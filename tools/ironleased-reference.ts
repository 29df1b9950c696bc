import { ironleased } from "#server/commands/index.ts";
import { markdownPage, markdownTable } from "@ironlease/reference";
import { commandSections, commandTable, optionTable } from "./command-sections.ts";

export const ironleasedExits: readonly (readonly [code: string, meaning: string])[] = [
  ["0", "Done."],
  ["1", "Refused, failed, or a problem was found. The message says which."],
  ["2", "The command line is wrong. Nothing was done."],
];

/** The reference page of `ironleased`, generated from its table of commands. */
export function ironleasedReference(): string {
  return markdownPage(
    "ironleased",
    "The service and the commands of its administrators. `--help` prints the same text. Commands read the same " +
      "[settings](configuration.md) as the service and open its database directly, so run them as the service's user. " +
      "Results go to standard output, errors to standard error.",
    "## Commands",
    commandTable(ironleased),
    "## Global options",
    optionTable(ironleased.globalOptions),
    "## Exit codes",
    'With `--json`, an error is `{"error":{"exitCode","message"}}` on standard error. `verify`, `doctor` and ' +
      "`renewals run` exit with 1 and print their document if they found a problem.",
    markdownTable(["Exit code", "Meaning"], ironleasedExits),
    ...commandSections(ironleased),
  );
}
