import { parseArgs } from "node:util";
import type { Command } from "../../cli/src/command.ts";
import { usageFailure } from "../../cli/src/failures/failure.ts";
import { parserOptions } from "./parse.ts";
import { globalOptions } from "../../cli/src/shared-options.ts";
import { meant, nearest } from "./suggest.ts";

export type Found =
  | { readonly kind: "command"; readonly command: Command; readonly rest: readonly string[] }
  /** Help on one command, on those of a noun, or on all. */
  | { readonly kind: "help"; readonly commands: readonly Command[]; readonly noun?: string }
  | { readonly kind: "version" };

/** Which command is meant. Global options may come before its words as well as after. */
export function findCommand(table: readonly Command[], argv: readonly string[]): Found {
  const { tokens } = parseArgs({
    args: [...argv],
    options: parserOptions(globalOptions),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const positionals = tokens.filter((token) => token.kind === "positional");
  const words = positionals.map(({ value }) => value);
  const isHelp = tokens.some((token) => token.kind === "option" && token.name === "help");
  if (words[0] === "help") return helpOn(table, words.slice(1));
  if (words.length === 0) {
    if (argv.includes("--version") || argv.includes("-v")) return { kind: "version" };
    const stray = argv.find((arg) => arg.startsWith("-") && !["-h", "--help"].includes(arg));
    if (stray !== undefined && !isHelp) throw usageFailure(`${stray} is not a command.`, overview);
    return { kind: "help", commands: table };
  }
  const command = commandOf(table, words);
  if (command === undefined) {
    if (isHelp) return helpOn(table, words.slice(0, 1));
    throw unknown(table, words);
  }
  const used = new Set(positionals.slice(0, command.words.length).map(({ index }) => index));
  return { kind: "command", command, rest: argv.filter((_, index) => !used.has(index)) };
}

const overview = "ironlease --help";

function commandOf(table: readonly Command[], words: readonly string[]): Command | undefined {
  return [2, 1]
    .map((count) => words.slice(0, count).join(" "))
    .map((name) => table.find((command) => command.words.join(" ") === name))
    .find((command) => command !== undefined);
}

function helpOn(table: readonly Command[], words: readonly string[]): Found {
  const [noun] = words;
  if (noun === undefined) return { kind: "help", commands: table };
  const command = commandOf(table, words);
  if (command !== undefined) return { kind: "help", commands: [command] };
  const commands = table.filter((candidate) => candidate.words[0] === noun);
  if (commands.length === 0 || words.length > 1) throw unknown(table, words);
  return { kind: "help", commands, noun };
}

function unknown(table: readonly Command[], words: readonly string[]) {
  const [first = "", second] = words;
  const verbs = table.filter((command) => command.words[0] === first).map(({ words }) => words[1]);
  if (verbs.length > 0 && second === undefined) {
    return usageFailure(
      `ironlease ${first} needs to be told what to do: ${verbs.join(", ")}.`,
      `ironlease ${first} --help`,
    );
  }
  const names = table.map((command) => command.words.join(" "));
  // "list servers" is a good guess, too.
  const guesses = [`${first} ${second ?? ""}`.trim(), `${second ?? ""} ${first}`, first];
  const near = guesses.map((guess) => nearest(guess, names)).find((found) => found.length > 0);
  const shown = (near ?? []).map((name) => `ironlease ${name}`);
  const typed = verbs.length > 0 ? `${first} ${second ?? ""}` : first;
  return usageFailure(`There is no command ${JSON.stringify(typed)}.`, ...meant(shown), overview);
}
