import { commands, type Command } from "./commands/index.ts";
import type { ConfigError } from "./config.ts";
import { version } from "./version.ts";

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const settingsHint =
  "Settings come from IRONLEASE_* variables: docs/reference/configuration.md lists them.";

function help(): string {
  return [
    `ironleased ${version}: the Ironlease service`,
    "",
    ...Object.entries(commands).flatMap(([name, { usage, summary }]) => [
      `  ${usageLine(name, usage)}`,
      `      ${summary}`,
    ]),
    "",
    "Run ironleased COMMAND --help for the help of one command.",
    settingsHint,
  ].join("\n");
}

function commandHelp(name: string, { usage, summary, options = {} }: Command): string {
  const width = Math.max(...Object.keys(options).map((option) => option.length));
  const lines = Object.entries(options).map(
    ([option, meaning]) => `  ${option.padEnd(width)}  ${meaning}`,
  );
  return [
    `Usage: ${usageLine(name, usage)}`,
    "",
    summary,
    ...(lines.length === 0 ? [] : ["", ...lines]),
  ].join("\n");
}

function usageLine(name: string, usage: string | undefined): string {
  return ["ironleased", name, usage].filter((part) => part !== undefined).join(" ");
}

/** The help of one command, or of every command that begins with the noun. */
function helpFor(words: readonly string[]): string | undefined {
  if (words.length === 0) return help();
  const wanted = words.join(" ");
  const found = Object.entries(commands).filter(
    ([name]) => name === wanted || name.startsWith(`${wanted} `),
  );
  if (found.length === 0) return undefined;
  const parts = found.map(([name, command]) => commandHelp(name, command));
  return [...parts, settingsHint].join("\n\n");
}

/** A person reads a sentence; only a bug report needs the stack. */
function fail(error: unknown): never {
  const sentences = isConfigError(error) ? error.problems : [sentenceOf(error)];
  for (const sentence of sentences) process.stderr.write(`ironleased: ${sentence}\n`);
  process.exit(1);
}

/** By its name: importing the class would load every setting before any command runs. */
function isConfigError(error: unknown): error is ConfigError {
  return error instanceof Error && error.name === "ConfigError";
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : "";
  if (code === "EADDRINUSE") {
    return "The address is in use: stop the other program or choose another IRONLEASE_LISTEN or IRONLEASE_OPERATOR_LISTEN.";
  }
  return process.env["IRONLEASE_LOG_LEVEL"] === "debug"
    ? (error.stack ?? error.message)
    : error.message;
}

/** A known noun lists its verbs. */
function unknownCommand([first = "", second]: readonly string[]): string {
  const following = Object.keys(commands).flatMap((name) => {
    const [noun, verb] = name.split(" ");
    return noun === first && verb !== undefined ? [verb] : [];
  });
  if (following.length === 0) return `there is no command ${first}`;
  const given = second === undefined ? "" : `, not ${second}`;
  return `${first} takes ${new Intl.ListFormat("en", { type: "disjunction" }).format(following)}${given}`;
}

function refuse(problem: string): never {
  process.stderr.write(`ironleased: ${problem}\n\n${help()}\n`);
  process.exit(2);
}

const helpOptions = ["--help", "-h"];

async function run(argv: readonly string[]): Promise<void> {
  const [first = "help", ...rest] = argv;
  if (["version", "--version", "-v"].includes(first)) return print(version);
  if (["help", ...helpOptions].includes(first)) {
    const words = rest.filter((word) => !helpOptions.includes(word));
    return print(helpFor(words) ?? refuse(unknownCommand(words)));
  }
  const count = [2, 1].find((length) => commands[argv.slice(0, length).join(" ")] !== undefined);
  const name = argv.slice(0, count ?? 0).join(" ");
  const command = commands[name];
  const args = argv.slice(count ?? 0);
  // What follows -- is a value, whatever it looks like.
  const isHelp = args.some(
    (arg, at) => helpOptions.includes(arg) && !args.slice(0, at).includes("--"),
  );
  if (isHelp) {
    const words = command === undefined ? [first] : [name];
    return print(helpFor(words) ?? refuse(unknownCommand(argv)));
  }
  if (command === undefined) refuse(unknownCommand(argv));
  if (command.usage === undefined && args.length > 0) refuse(`${name} takes no ${args[0]}`);
  try {
    process.exit(await command.run(args, process.env, print));
  } catch (error) {
    fail(error);
  }
}

await run(process.argv.slice(2));
