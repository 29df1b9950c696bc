import { createLog, readableLines } from "./adapters/system/log.ts";
import { ConfigError, readConfig, type Mode } from "./config.ts";
import { examine } from "./commands/doctor.ts";
import { openDatabase, startService, type Service } from "./main.ts";
import { migrations } from "./migrations/index.ts";
import { previewGuide } from "./commands/preview-guide.ts";
import { systemClock } from "./adapters/system/clock.ts";
import { version } from "./version.ts";

interface Command {
  readonly summary: string;
  /** Resolves with the exit code, or with undefined when the process goes on serving. */
  run(): Promise<number | undefined>;
}

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
  doctor: {
    summary: "Say what is wrong with settings, certificate, database and clock, and how to mend it.",
    run: async () => examine(process.env, print),
  },
};

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function serve(mode: Mode): Promise<undefined> {
  const config = readConfig(mode, process.env);
  const isWatched = mode === "preview" && process.stdout.isTTY;
  const log = createLog(config.logLevel, isWatched ? readableLines(process.stdout) : undefined);
  const service = await startService(config, log);
  stopOnSignal(service);
  if (mode === "preview") print(previewGuide(service, config));
  log.info({ url: service.url, mode, version }, "listening");
}

function stopOnSignal(service: Service): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    service.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
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
  const names = Object.keys(commands);
  const width = Math.max(...names.map((name) => name.length)) + 2;
  return [
    `ironleased ${version}: the Ironlease service`,
    "",
    "Usage: ironleased COMMAND",
    "",
    ...names.map((name) => `  ${name.padEnd(width)}${commands[name]?.summary ?? ""}`),
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
    return "The address is in use: stop the other program or choose another IRONLEASE_LISTEN.";
  }
  return process.env["IRONLEASE_LOG_LEVEL"] === "debug" ? (error.stack ?? error.message) : error.message;
}

async function run(argv: readonly string[]): Promise<void> {
  const [name = "help", ...rest] = argv;
  if (["help", "--help", "-h"].includes(name)) return print(help());
  if (["version", "--version", "-v"].includes(name)) return print(version);
  const command = commands[name];
  if (command === undefined || rest.length > 0) {
    const wrong = command === undefined ? `there is no command ${name}` : `${name} takes no ${rest[0]}`;
    process.stderr.write(`ironleased: ${wrong}\n\n${help()}\n`);
    process.exit(2);
  }
  try {
    const code = await command.run();
    if (code !== undefined) process.exit(code);
  } catch (error) {
    fail(error);
  }
}

await run(process.argv.slice(2));
