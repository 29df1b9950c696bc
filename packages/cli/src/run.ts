import type { Call, Command } from "./command.ts";
import { Context } from "./context.ts";
import { exits } from "./failures/exit-codes.ts";
import { CommandFailure, type Failure } from "./failures/failure.ts";
import { OutputFailed, outputFailed } from "./failures/output-failed.ts";
import { findCommand } from "../../command-line/src/find-command.ts";
import { commandHelp, listHelp } from "../../command-line/src/help.ts";
import type { Io } from "./io.ts";
import { styleFor } from "../../command-line/src/style.ts";
import { parse } from "../../command-line/src/parse.ts";
import { failureJson, failureText } from "./reports/report.ts";
import { version } from "./version.ts";

/** Runs one command line to its end, and resolves with the exit code. */
export async function run(
  table: readonly Command[],
  argv: readonly string[],
  io: Io,
): Promise<number> {
  let context: Context | undefined;
  try {
    const found = findCommand(table, argv);
    const style = styleFor(io.stdout, io.env);
    if (found.kind === "version") {
      return await say(io, version);
    }
    if (found.kind === "help") {
      const [only] = found.commands;
      const isOne = found.commands.length === 1 && found.noun === undefined && only !== undefined;
      const page = isOne ? commandHelp(only, style) : listHelp(found.commands, found.noun, style);
      return await say(io, page);
    }
    const { command, rest } = found;
    const { args, options, shared } = parse(command, rest);
    if (shared.help) return await say(io, commandHelp(command, style));
    context = new Context(io, shared, command);
    await runIn(command, { args, options, context, table });
    return exits.ok.code;
  } catch (error) {
    if (error instanceof OutputFailed && error.isSeenEnough) return exits.ok.code;
    const failure = await failureOf(error, argv, io, context);
    // Before the options are known to be good, they can only be looked for.
    const isJson = context === undefined ? argv.includes("--json") : context.shared.json;
    const text = isJson ? failureJson(failure) : failureText(failure, styleFor(io.stderr, io.env));
    io.stderr.write(`${text}\n`);
    return exits[failure.exit].code;
  }
}

/** Says something that needs no service. */
async function say(io: Io, text: string): Promise<number> {
  io.stdout.write(`${text}\n`);
  try {
    await io.flush();
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    const nothing = { isChange: false, once: undefined, idempotencyKey: undefined };
    throw outputFailed({ ...nothing, code, isWatched: false });
  }
  return exits.ok.code;
}

async function runIn(command: Command, call: Call): Promise<void> {
  try {
    if (command.showsOnce) call.context.checkOutput();
    const output = await command.run(call);
    if (output !== undefined) await call.context.print(output);
  } finally {
    await call.context.finish();
  }
}

async function failureOf(
  error: unknown,
  argv: readonly string[],
  io: Io,
  context: Context | undefined,
): Promise<Failure> {
  if (error instanceof CommandFailure) {
    const { failure } = error;
    const advice = failure.advice?.map((line) => context?.suggest(line) ?? line);
    return { ...failure, advice };
  }
  const { describeError } = await import("./reports/describe-error.ts");
  const isWithKey = context?.apiKey !== undefined;
  const suggest = (line: string) => context?.suggest(line) ?? line;
  return describeError(error, { argv, io, target: context?.chosen, isWithKey, suggest });
}
