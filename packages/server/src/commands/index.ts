import type { Environment, Print } from "./with-database.ts";

type Run = (args: readonly string[], env: Environment, print: Print) => Promise<number>;

export interface Command {
  /** What follows the name. */
  readonly usage?: string;
  readonly summary: string;
  /** Each option of `usage`, explained. */
  readonly options?: Readonly<Record<string, string>>;
  /** Resolves with the exit code. */
  run: Run;
}

/**
 * By name; a name may be two words. Each command is imported when it runs, so that help and version
 * do not load the server.
 */
export const commands: Readonly<Record<string, Command>> = {
  preview: {
    summary: "Run a local preview with demo data: HTTPS on loopback, SQLite, simulated payments.",
    run: async (_, env, print) => (await import("./service/serve.ts")).serve("preview", env, print),
  },
  serve: {
    summary: "Run the service. Nothing is simulated.",
    run: async (_, env, print) => (await import("./service/serve.ts")).serve("serve", env, print),
  },
  migrate: {
    summary: "Apply pending database migrations.",
    run: async (_, env, print) => (await import("./migrate.ts")).migrate(env, print),
  },
  "operator add": {
    usage: "NAME [--role support|finance|admin]",
    summary: "Add an operator and print the password once.",
    options: { "--role ROLE": "support (the default), finance or admin" },
    run: reporting(async () => (await import("./operators/add.ts")).operatorAdd),
  },
  "operator list": {
    summary: "List the operators.",
    run: reporting(async () => {
      const { operatorList } = await import("./operators/list.ts");
      return (_, env, print) => operatorList(env, print);
    }),
  },
  "operator disable": {
    usage: "NAME",
    summary: "Disable an operator and end every session of theirs.",
    run: reporting(async () => (await import("./operators/change.ts")).operatorDisable),
  },
  "operator enable": {
    usage: "NAME",
    summary: "Enable a disabled operator.",
    run: reporting(async () => (await import("./operators/change.ts")).operatorEnable),
  },
  "operator reset": {
    usage: "NAME",
    summary: "Set a new password, print it once, and remove the second factor.",
    run: reporting(async () => (await import("./operators/change.ts")).operatorReset),
  },
  "account sign-out": {
    usage: "NAME",
    summary: "End every session and API key of a customer.",
    run: reporting(async () => (await import("./accounts/sign-out.ts")).accountSignOut),
  },
  "catalogue import": {
    usage: "FILE",
    summary: "Import a catalogue (JSON, or - for standard input). Errors name the line.",
    run: reporting(async () => (await import("./catalogue/import.ts")).catalogueImport),
  },
  "renewals run": {
    usage: "[--at TIME] [--dry-run]",
    summary: "Renew the servers that are due, start their grace period, or end them.",
    options: {
      "--at TIME": "treat TIME as now, such as 2026-12-15T09:30:00Z",
      "--dry-run": "print what would happen and write nothing",
    },
    run: reporting(async () => (await import("./renewals/run.ts")).renewalsRun),
  },
  "machines import": {
    usage: "FILE",
    summary: "Add machines from a CSV or JSON file (- for standard input). Errors name the line.",
    run: reporting(async () => (await import("./machines/import.ts")).machinesImport),
  },
  "simulate-payment": {
    usage: "ADDRESS AMOUNT [--confirmations N] [--transaction ID] [--gone]",
    summary: "Pay a simulated address of the preview.",
    options: {
      "--confirmations N":
        "how many confirmations the payment has; enough to be credited if left out",
      "--transaction ID": "the transaction id; the same id again changes that payment",
      "--gone": "remove the payment from the simulated chain; needs --transaction",
    },
    run: reporting(
      async () => (await import("./deposits/simulate-payment.ts")).simulatePaymentCommand,
    ),
  },
  backup: {
    usage: "FILE",
    summary: "Copy the SQLite database to FILE while it is served. For PostgreSQL, print how.",
    run: reporting(async () => (await import("./backup.ts")).backup),
  },
  verify: {
    summary: "Check every invariant of money and machines. The service may be running.",
    run: async (_, env, print) => (await import("./verify.ts")).verify(env, print),
  },
  doctor: {
    summary: "Check settings, clock, data folder, certificate and database. Writes nothing.",
    run: async (_, env, print) => (await import("./doctor/doctor.ts")).examine(env, print),
  },
};

/** Output goes to standard output when the command succeeds, else to standard error. */
function reporting(load: () => Promise<Run>): Run {
  return async (args, env) => {
    const run = await load();
    const lines: string[] = [];
    const code = await run(args, env, (line) => lines.push(line));
    (code === 0 ? process.stdout : process.stderr).write(`${lines.join("\n")}\n`);
    return code;
  };
}
