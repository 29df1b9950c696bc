import {
  cleanJson,
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
  let isJson = argv.includes("--json");
  try {
    const found = findCommand(ironleased, argv);
    if (found.kind === "version") return print(version);
    if (found.kind === "help") return print(helpFor(ironleased, found, style));
    const { command, rest } = found;
    const { args, options, isHelp } = parse(ironleased, command, rest);
    if (isHelp) return print(commandHelp(ironleased, command, style));
    const format = options["json"] === true ? "json" : options["output"];
    isJson = format !== undefined;
    const { config: file } = options as { readonly config: string | undefined };
    const call = { args, options, ...(await settingsFor(command, env, file)) };
    return isJson
      ? await runForData(command, call, { stdout, stderr }, format === "yaml")
      : await runForLines(command, call, { stdout, stderr });
  } catch (error) {
    const isUsage = error instanceof UsageError;
    const advice = isUsage ? error.advice : [];
    const code = isUsage ? usageError : failure;
    const messages = messagesOf(error, env);
    if (isJson) stderr.write(`${errorJson(code, messages)}\n`);
    else {
      for (const message of messages) {
        stderr.write(`${errorText(message, [], advice, styleFor(stderr, env))}\n`);
      }
    }
    return code;
  }
}

/** Imported on demand, because help and completion do not need any setting. */
async function settingsFor(command: Command, env: Environment, file: string | undefined) {
  if (command.ignoresSettings) return { env, sources: new Map<string, string>() };
  const { gatherSettings } = await import("#composition/setting-sources.ts");
  return gatherSettings(env, file);
}

type Screens = Pick<Surroundings, "stdout" | "stderr">;
type OutputlessCall = Omit<Call, "print" | "data">;

async function runForLines(
  command: Command,
  call: OutputlessCall,
  { stdout, stderr }: Screens,
): Promise<number> {
  const data = () => {};
  if (command.output === "stream") {
    return command.run({ ...call, data, print: (line) => stdout.write(`${line}\n`) });
  }
  const lines: string[] = [];
  const code = await command.run({ ...call, data, print: (line) => lines.push(line) });
  (code === 0 ? stdout : stderr).write(`${lines.join("\n")}\n`);
  return code;
}

/** Prints the command's document, or what it says instead of one as an error. */
async function runForData(
  command: Command,
  call: OutputlessCall,
  { stdout, stderr }: Screens,
  isYaml: boolean,
): Promise<number> {
  const lines: string[] = [];
  let document: object | undefined;
  const code = await command.run({
    ...call,
    print: (line) => lines.push(line),
    data: (value) => void (document = value),
  });
  if (document !== undefined) {
    stdout.write(`${isYaml ? await yaml(document) : cleanJson(document, 2)}\n`);
  } else stderr.write(`${errorJson(code, lines)}\n`);
  return code;
}

async function yaml(document: object): Promise<string> {
  const { yamlText } = await import("@ironlease/command-line/formats");
  return yamlText(document);
}

function errorJson(exitCode: number, messages: readonly string[]): string {
  return cleanJson({ error: { exitCode, message: messages.join("\n") } }, 2);
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
