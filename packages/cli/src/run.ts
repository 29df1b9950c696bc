import {
  asksForJson,
  findCommand,
  commandHelp,
  helpFor,
  parse,
  styleFor,
  UsageError,
} from "@ironlease/command-line";
import { PromptEnded } from "@ironlease/command-line/prompts";
import type { Call, Command, Ironlease } from "./command.ts";
import { Context } from "./context.ts";
import { exits } from "./failures/exit-codes.ts";
import { CommandFailure, type Failure } from "./failures/failure.ts";
import { OutputFailed, outputFailed } from "./failures/output-failed.ts";
import type { Io } from "./io.ts";
import { failureJson, failureText } from "./reports/report.ts";
import { checkShared, type SharedValues } from "./shared-options.ts";
import { version } from "./version.ts";

/** Runs one command line to its end, and resolves with the exit code. */
export async function run(program: Ironlease, argv: readonly string[], io: Io): Promise<number> {
  let context: Context | undefined;
  try {
    const found = findCommand(program, argv);
    const style = styleFor(io.stdout, io.env);
    if (found.kind === "version") return await say(io, version);
    if (found.kind === "help") return await say(io, helpFor(program, found, style));
    const { command, rest } = found;
    const { args, options, isHelp } = parse(program, command, rest);
    if (isHelp) return await say(io, commandHelp(program, command, style));
    const shared = options as unknown as SharedValues;
    checkShared(command, shared);
    context = new Context(io, shared, command);
    await runIn(command, { args, options, context, program });
    return context.exitCode;
  } catch (error) {
    if (error instanceof OutputFailed && error.isSeenEnough) return exits.ok.code;
    const failure = await failureOf(error, argv, io, context);
    const isJson =
      context === undefined ? asksForJson(argv) : context.format === "json" || context.shared.json;
    const text = isJson ? failureJson(failure) : failureText(failure, styleFor(io.stderr, io.env));
    io.stderr.write(`${text}\n`);
    return exits[failure.exit].code;
  }
}

/** Prints text that needs no service. */
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
  const suggest = (line: string) => context?.suggest(line) ?? line;
  if (error instanceof UsageError) {
    const { message, advice } = error;
    return { exit: "usage", code: "usage", message, advice: advice.map(suggest) };
  }
  if (error instanceof PromptEnded) {
    const { reason } = error;
    const message =
      reason === "declined" ? "Nothing was changed." : "Interrupted. Nothing was changed.";
    return { exit: reason, code: reason, message };
  }
  if (error instanceof CommandFailure) {
    const { failure } = error;
    return { ...failure, advice: failure.advice?.map(suggest) };
  }
  const { describeError } = await import("./reports/describe-error.ts");
  const isWithKey = context?.apiKey !== undefined;
  return describeError(error, { argv, io, target: context?.chosen, isWithKey, suggest });
}
