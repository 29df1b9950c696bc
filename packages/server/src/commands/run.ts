import {
  commandHelp,
  errorText,
  findCommand,
  helpFor,
  parse,
  styleFor,
  UsageError,
  type Screen,
} from "@ironlease/command-line";
import type { ConfigError } from "#config.ts";
import { version } from "#version.ts";
import type { Call, Command, Environment } from "./command.ts";
import { ironleased } from "./index.ts";

export interface Surroundings {
  readonly env: Environment;
  readonly stdout: Screen;
  readonly stderr: Screen;
}

const failure = 1;
const usageError = 2;

/** Runs one command line. Resolves with the exit code. */
export async function run(
  argv: readonly string[],
  { env, stdout, stderr }: Surroundings,
): Promise<number> {
  const style = styleFor(stdout, env);
  const print = (text: string) => {
    stdout.write(`${text}\n`);
    return 0;
  };
  try {
    const found = findCommand(ironleased, argv);
    if (found.kind === "version") return print(version);
    if (found.kind === "help") return print(helpFor(ironleased, found, style));
    const { command, rest } = found;
    const { args, options, isHelp } = parse(ironleased, command, rest);
    if (isHelp) return print(commandHelp(ironleased, command, style));
    return await runCommand(command, { args, options, env }, { env, stdout, stderr });
  } catch (error) {
    const isUsage = error instanceof UsageError;
    const advice = isUsage ? error.advice : [];
    for (const message of messagesOf(error, env)) {
      stderr.write(`${errorText(message, [], advice, styleFor(stderr, env))}\n`);
    }
    return isUsage ? usageError : failure;
  }
}

async function runCommand(
  command: Command,
  call: Omit<Call, "print">,
  { stdout, stderr }: Surroundings,
): Promise<number> {
  if (command.output === "stream") {
    return command.run({ ...call, print: (line) => stdout.write(`${line}\n`) });
  }
  const lines: string[] = [];
  const code = await command.run({ ...call, print: (line) => lines.push(line) });
  (code === 0 ? stdout : stderr).write(`${lines.join("\n")}\n`);
  return code;
}

function messagesOf(error: unknown, env: Environment): readonly string[] {
  if (isConfigError(error)) return error.problems;
  if (!(error instanceof Error)) return [String(error)];
  if ("code" in error && error.code === "EADDRINUSE") {
    return [
      "The address is in use. Stop the other program, or change IRONLEASE_LISTEN or IRONLEASE_OPERATOR_LISTEN.",
    ];
  }
  // Only a bug report needs the stack.
  return [env["IRONLEASE_LOG_LEVEL"] === "debug" ? (error.stack ?? error.message) : error.message];
}

/** By name, because importing the class would load every setting before any command runs. */
function isConfigError(error: unknown): error is ConfigError {
  return error instanceof Error && error.name === "ConfigError";
}
