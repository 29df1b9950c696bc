import { createLog, flushLog, readableLines } from "./adapters/system/log.ts";
import { ConfigError, readConfig, type Mode } from "./config.ts";
import { accountSignOut } from "./commands/account-sign-out.ts";
import { backup } from "./commands/backup.ts";
import { catalogueImport } from "./commands/catalogue-import.ts";
import { examine } from "./commands/doctor.ts";
import { machinesImport } from "./commands/machines-import.ts";
import { openDatabase, startService, type StartSteps } from "./main.ts";
import { migrations } from "./migrations/index.ts";
import { operatorAdd } from "./commands/operator-add.ts";
import { operatorDisable, operatorEnable, operatorReset } from "./commands/operator-change.ts";
import { operatorList } from "./commands/operator-list.ts";
import { seedDemo } from "./commands/preview-demo.ts";
import { previewGuide } from "./commands/preview-guide.ts";
import { ensurePreviewOperator, type PreviewOperator } from "./commands/preview-operator.ts";
import { renewalsRun } from "./commands/renewals-run.ts";
import { simulatePaymentCommand } from "./commands/simulate-payment.ts";
import { verify } from "./commands/verify.ts";
import { systemClock } from "./adapters/system/clock.ts";
import { version } from "./version.ts";

interface Command {
  /** What follows the name. */
  readonly usage?: string;
  readonly summary: string;
  /** Resolves with the exit code, or with undefined when the process goes on serving. */
  run(args: readonly string[]): Promise<number | undefined>;
}

/** By name; a name may be two words. */
export const commands: Readonly<Record<string, Command>> = {
  preview: {
    summary: "Try it out: HTTPS on loopback, SQLite, everything that is needed is made up.",
    run: () => serve("preview"),
  },
  serve: {
    summary: "Run it for real: nothing is pretended.",
    run: () => serve("serve"),
  },
  migrate: {
    summary: "Bring the database up to date and stop.",
    run: migrate,
  },
  "operator add": {
    usage: "NAME [--role support|finance|admin]",
    summary: "Add somebody who works at the desk, and print the password this once.",
    run: (args) => reporting((say) => operatorAdd(args, process.env, say)),
  },
  "operator list": {
    summary: "Show who works at the desk.",
    run: () => reporting((say) => operatorList(process.env, say)),
  },
  "operator disable": {
    usage: "NAME",
    summary: "Shut an operator out at once.",
    run: (args) => reporting((say) => operatorDisable(args, process.env, say)),
  },
  "operator enable": {
    usage: "NAME",
    summary: "Let a disabled operator in again.",
    run: (args) => reporting((say) => operatorEnable(args, process.env, say)),
  },
  "operator reset": {
    usage: "NAME",
    summary: "Give an operator a new password, printed this once, and take the second factor away.",
    run: (args) => reporting((say) => operatorReset(args, process.env, say)),
  },
  "account sign-out": {
    usage: "NAME",
    summary: "End every session and API key of a customer at once.",
    run: (args) => reporting((say) => accountSignOut(args, process.env, say)),
  },
  "catalogue import": {
    usage: "FILE",
    summary: "Put the catalogue in FILE in force, or say which of its lines are wrong.",
    run: (args) => reporting((say) => catalogueImport(args, process.env, say)),
  },
  "renewals run": {
    usage: "[--at TIME] [--dry-run]",
    summary: "Renew, put into grace and end what is due by now or TIME, or say what that would be.",
    run: (args) => reporting((say) => renewalsRun(args, process.env, say)),
  },
  "machines import": {
    usage: "FILE",
    summary: "Add the machines in FILE (CSV or JSON), or say which of its lines are wrong.",
    run: (args) => reporting((say) => machinesImport(args, process.env, say)),
  },
  "simulate-payment": {
    usage: "ADDRESS AMOUNT [--confirmations N] [--transaction ID] [--gone]",
    summary: "Pay a simulated address of the preview.",
    run: (args) => reporting((say) => simulatePaymentCommand(args, process.env, say)),
  },
  backup: {
    usage: "FILE",
    summary: "Copy the SQLite database to FILE while serving; for PostgreSQL, say how.",
    run: (args) => reporting((say) => backup(args, process.env, say)),
  },
  verify: {
    summary: "Check every invariant of money and machines, on a live or a stopped database.",
    run: () => verify(process.env, print),
  },
  doctor: {
    summary:
      "Say what is wrong with settings, certificate, database and clock, and how to mend it.",
    run: () => examine(process.env, print),
  },
};

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** What a command says goes to standard output when it has worked, and to standard error when not. */
async function reporting(run: (say: (line: string) => void) => Promise<number>): Promise<number> {
  const lines: string[] = [];
  const code = await run((line) => lines.push(line));
  (code === 0 ? process.stdout : process.stderr).write(`${lines.join("\n")}\n`);
  return code;
}

async function serve(mode: Mode): Promise<undefined> {
  const config = readConfig(mode, process.env);
  const isWatched = mode === "preview" && process.stdout.isTTY;
  const log = createLog(config.logLevel, isWatched ? readableLines(process.stdout) : undefined);
  // Listened for from the first moment on: a signal during the start must not cut it in the middle.
  const signalled = new Promise((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
  let operator: PreviewOperator | undefined;
  const previewSteps: StartSteps = {
    prepare: seedDemo,
    // Once it listens: a start that fails must not use up the one time that the password is shown.
    beforeReady: async ({ core, operatorUrl }) => {
      if (operatorUrl === undefined) return;
      operator = await ensurePreviewOperator(core, config.operatorPassword);
    },
  };
  const service = await startService(config, log, {}, mode === "preview" ? previewSteps : {});
  signalled
    .then(() => service.close())
    .then(() => flushLog(log))
    .then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  if (mode === "preview") print(previewGuide(service, config, operator));
  log.info({ url: service.url, operatorUrl: service.operatorUrl, mode, version }, "listening");
}

async function migrate(): Promise<number> {
  const config = readConfig("serve", process.env);
  const db = await openDatabase(config, createLog(config.logLevel));
  try {
    const applied = await db.migrate(migrations, systemClock.now());
    print(applied.length === 0 ? "The database is up to date." : `Applied ${applied.join(", ")}.`);
    return 0;
  } finally {
    await db.close();
  }
}

function help(): string {
  const lines = Object.entries(commands).map(([name, { usage, summary }]) => [
    `  ironleased ${[name, usage].filter((part) => part !== undefined).join(" ")}`,
    `      ${summary}`,
  ]);
  return [
    `ironleased ${version}: the Ironlease service`,
    "",
    ...lines.flat(),
    "",
    "Settings come from IRONLEASE_* variables: docs/reference/configuration.md lists them.",
  ].join("\n");
}

/** What a person should read is a sentence; what only a bug report needs is the stack. */
function fail(error: unknown): never {
  if (error instanceof ConfigError) {
    for (const problem of error.problems) process.stderr.write(`ironleased: ${problem}\n`);
  } else {
    process.stderr.write(`ironleased: ${sentenceOf(error)}\n`);
  }
  process.exit(1);
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

/** A first word that is right deserves to hear what may follow it. */
function unknownCommand([first = "", second]: readonly string[]): string {
  const following = Object.keys(commands).flatMap((name) => {
    const [noun, verb] = name.split(" ");
    return noun === first && verb !== undefined ? [verb] : [];
  });
  if (following.length === 0) return `there is no command ${first}`;
  const given = second === undefined ? "" : `, not ${second}`;
  return `${first} takes ${new Intl.ListFormat("en", { type: "disjunction" }).format(following)}${given}`;
}

async function run(argv: readonly string[]): Promise<void> {
  const [first = "help"] = argv;
  if (["help", "--help", "-h"].includes(first)) return print(help());
  if (["version", "--version", "-v"].includes(first)) return print(version);
  const words = [2, 1].find((count) => commands[argv.slice(0, count).join(" ")] !== undefined);
  const command = commands[argv.slice(0, words ?? 0).join(" ")];
  const args = argv.slice(words ?? 0);
  if (command === undefined || (command.usage === undefined && args.length > 0)) {
    const wrong = command === undefined ? unknownCommand(argv) : `${first} takes no ${args[0]}`;
    process.stderr.write(`ironleased: ${wrong}\n\n${help()}\n`);
    process.exit(2);
  }
  try {
    const code = await command.run(args);
    if (code !== undefined) process.exit(code);
  } catch (error) {
    fail(error);
  }
}

await run(process.argv.slice(2));
