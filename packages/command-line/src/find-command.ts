import { parseArgs } from "node:util";
import { nameOf, shownCommands, type Command, type Program } from "./command.ts";
import { parserOptions } from "./parse.ts";
import { didYouMean, nearest } from "./suggest.ts";
import { UsageError } from "./usage-error.ts";

export type Found<Kind extends Command = Command> =
  | { readonly kind: "command"; readonly command: Kind; readonly rest: readonly string[] }
  /** Help for one command, for the commands of a noun, or for the program. */
  | { readonly kind: "help"; readonly commands: readonly Kind[]; readonly noun?: string }
  | { readonly kind: "version" };

/** Finds the command to run. Global options may precede its words. */
export function findCommand<Kind extends Command>(
  program: Program<Kind>,
  argv: readonly string[],
): Found<Kind> {
  const { tokens } = parseArgs({
    args: [...argv],
    options: parserOptions(program.globalOptions),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const positionals = tokens.filter((token) => token.kind === "positional");
  const words = positionals.map(({ value }) => value);
  const isHelp = tokens.some((token) => token.kind === "option" && token.name === "help");
  if (words[0] === "help") return helpOn(program, words.slice(1));
  if (words[0] === "version" && words.length === 1) return { kind: "version" };
  if (words.length === 0) {
    if (argv.includes("--version") || argv.includes("-v")) return { kind: "version" };
    const stray = argv.find((arg) => arg.startsWith("-") && !["-h", "--help"].includes(arg));
    if (stray !== undefined && !isHelp) {
      throw new UsageError(`${stray} is not a command.`, `${program.name} --help`);
    }
    return { kind: "help", commands: program.commands };
  }
  const command = commandOf(program, words);
  if (command === undefined) {
    if (isHelp) return helpOn(program, words.slice(0, 1));
    throw unknownCommand(program, words);
  }
  const used = new Set(positionals.slice(0, command.words.length).map(({ index }) => index));
  return { kind: "command", command, rest: argv.filter((_, index) => !used.has(index)) };
}

function commandOf<Kind extends Command>(
  { commands }: Program<Kind>,
  words: readonly string[],
): Kind | undefined {
  return [2, 1]
    .map((count) => words.slice(0, count).join(" "))
    .map((name) => commands.find((command) => nameOf(command) === name))
    .find((command) => command !== undefined);
}

function helpOn<Kind extends Command>(
  program: Program<Kind>,
  words: readonly string[],
): Found<Kind> {
  const [noun] = words;
  if (noun === undefined) return { kind: "help", commands: program.commands };
  const command = commandOf(program, words);
  if (command !== undefined) return { kind: "help", commands: [command] };
  const commands = program.commands.filter((candidate) => candidate.words[0] === noun);
  if (commands.length === 0 || words.length > 1) throw unknownCommand(program, words);
  return { kind: "help", commands, noun };
}

function unknownCommand(program: Program, words: readonly string[]): UsageError {
  const { name } = program;
  const commands = shownCommands(program);
  const [first = "", second] = words;
  const verbs = commands.filter((command) => command.words[0] === first);
  if (verbs.length > 0 && second === undefined) {
    return new UsageError(
      `${name} ${first} needs a command: ${verbs.map(({ words }) => words[1]).join(", ")}.`,
      `${name} ${first} --help`,
    );
  }
  const names = commands.map(nameOf);
  // Users swap noun and verb: "list servers".
  const guesses = [`${first} ${second ?? ""}`.trim(), `${second ?? ""} ${first}`, first];
  const near = guesses.map((guess) => nearest(guess, names)).find((found) => found.length > 0);
  const shown = (near ?? []).map((known) => `${name} ${known}`);
  const typed = verbs.length > 0 ? `${first} ${second ?? ""}` : first;
  const help = verbs.length > 0 ? `${name} ${first} --help` : `${name} --help`;
  return new UsageError(`Unknown command ${JSON.stringify(typed)}.`, ...didYouMean(shown), help);
}
