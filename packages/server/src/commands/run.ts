import {
  asksForJson,
  checkFormat,
  cleanJson,
  columnsOf,
  commandHelp,
  errorText,
  findCommand,
  formatOf,
  helpFor,
  nameOf,
  parse,
  rendered,
  styleFor,
  UsageError,
  type FormatValues,
  type List,
  type Result,
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
  let isJson = asksForJson(argv);
  try {
    const found = findCommand(ironleased, argv);
    if (found.kind === "version") return print(version);
    if (found.kind === "help") return print(helpFor(ironleased, found, style));
    const { command, rest } = found;
    const { args, options, isHelp } = parse(ironleased, command, rest);
    if (isHelp) return print(commandHelp(ironleased, command, style));
    const shared: SharedValues = options;
    checkFormat(command, shared, `ironleased ${nameOf(command)} --help`);
    const format = formatOf(shared);
    isJson = format === "json";
    const call = { args, options, ...(await settingsFor(command, env, shared.config)) };
    const names = shared.columns === undefined ? undefined : columnsOf(shared.columns);
    return format === "table" && names === undefined
      ? await runForLines(command, call, { stdout, stderr })
      : await runForData(command, call, { stdout, stderr }, { format, style, names });
  } catch (error) {
    const isUsage = error instanceof UsageError;
    const advice = isUsage ? error.advice : [];
    const code = isUsage ? usageError : failure;
    const messages = await messagesOf(error, env);
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
  const none = { env, sources: new Map<string, string>(), secretFiles: [] };
  if (command.ignoresSettings) return none;
  const { gatherSettings } = await import("#composition/setting-sources.ts");
  try {
    return gatherSettings(env, file);
  } catch (error) {
    if (!command.reportsSources || !isConfigError(error)) throw error;
    return { ...none, sourceProblems: error.problems };
  }
}

type Screens = Pick<Surroundings, "stdout" | "stderr">;
type OutputlessCall = Omit<Call, "print" | "note" | "data">;

type SharedValues = FormatValues & { readonly config?: string };

async function runForLines(
  command: Command,
  call: OutputlessCall,
  { stdout, stderr }: Screens,
): Promise<number> {
  const data = () => {};
  if (command.output === "stream") {
    const write = (line: string) => stdout.write(`${line}\n`);
    return command.run({ ...call, data, print: write, note: write });
  }
  const lines: string[] = [];
  const keep = (line: string) => lines.push(line);
  const code = await command.run({ ...call, data, print: keep, note: keep });
  (code === 0 ? stdout : stderr).write(`${lines.join("\n")}\n`);
  return code;
}

/** Prints the command's data, or what it says instead of data as an error. */
async function runForData(
  command: Command,
  call: OutputlessCall,
  { stdout, stderr }: Screens,
  shape: Parameters<typeof rendered>[1],
): Promise<number> {
  const lines: string[] = [];
  const isJson = shape.format === "json";
  let result: Result | undefined;
  const code = await command.run({
    ...call,
    print: (line) => lines.push(line),
    // Programs find it in the document.
    note: (text) => isJson || stderr.write(`${text}\n`),
    data: (json, list) => {
      // Only these columns ever see these rows.
      result = { json, list: list as List | undefined, text: () => lines.join("\n") };
    },
  });
  if (result !== undefined) stdout.write(`${await rendered(result, shape)}\n`);
  else stderr.write(isJson ? `${errorJson(code, lines)}\n` : `${lines.join("\n")}\n`);
  return code;
}

function errorJson(exitCode: number, messages: readonly string[]): string {
  return cleanJson({ error: { exitCode, message: messages.join("\n") } }, 2);
}

async function messagesOf(error: unknown, env: Environment): Promise<readonly string[]> {
  if (isConfigError(error)) return error.problems;
  if (!(error instanceof Error)) return [String(error)];
  if ("code" in error && error.code === "EADDRINUSE") {
    const { address = "", port = "" } = error as Error & { address?: string; port?: number };
    return [
      `${address}:${port} is in use. Stop the other program, or change IRONLEASE_LISTEN or IRONLEASE_OPERATOR_LISTEN.`,
    ];
  }
  // Only a bug report needs the stack.
  if (env["IRONLEASE_LOG_LEVEL"] === "debug") return [error.stack ?? error.message];
  const { withCauses } = await import("./causes.ts");
  return [withCauses(error)];
}

/** By name, because importing the class would load every setting before any command runs. */
function isConfigError(error: unknown): error is ConfigError {
  return error instanceof Error && error.name === "ConfigError";
}
