import type { Program } from "@ironlease/command-line";
import type { Shell } from "@ironlease/command-line/completion";
import { command, type Command } from "./command.ts";
import { accountCommands } from "./accounts/index.ts";
import { catalogueCommands } from "./catalogue/index.ts";
import { machineCommands } from "./machines/index.ts";
import { operatorCommands } from "./operators/index.ts";
import { settingColumns } from "./settings-columns.ts";
import { holdingColumns } from "./settlement/columns.ts";

/** Copies, because importing the lists would load more for every `--help`. */
const shells = ["bash", "zsh", "fish"] as const satisfies readonly Shell[];

/** Each command is imported when it runs, so that help and version do not load the service. */
const commands: readonly Command[] = [
  command({
    words: ["preview"],
    summary: "Run a local preview with demo data: HTTPS on loopback, SQLite, simulated payments.",
    output: "stream",
    examples: [{ line: "ironleased preview", meaning: "Start it. Ctrl-C stops it." }],
    run: async (call) => (await import("./service/serve.ts")).serve("preview", call),
  }),
  command({
    words: ["serve"],
    summary: "Run the service. Nothing is simulated.",
    description: ["SIGTERM stops it: requests in progress finish first, up to IRONLEASE_DRAIN."],
    output: "stream",
    examples: [{ line: "ironleased serve", meaning: "Start it with the settings in use." }],
    run: async (call) => (await import("./service/serve.ts")).serve("serve", call),
  }),
  command({
    words: ["migrate"],
    summary: "Apply pending database migrations.",
    output: "stream",
    fields: ["applied"],
    examples: [{ line: "ironleased migrate", meaning: "Bring the database up to date." }],
    run: async (call) => (await import("./migrate.ts")).migrate(call),
  }),
  ...operatorCommands,
  ...accountCommands,
  ...catalogueCommands,
  command({
    words: ["renewals", "run"],
    summary: "Renew the servers that are due, start their grace period, or end them.",
    options: {
      at: { value: "TIME", meaning: "Treat this time as now, such as 2026-12-15T09:30:00Z." },
      "dry-run": { meaning: "Print what would happen and write nothing." },
    },
    fields: ["dueBy", "dryRun", "totals", "steps", "moreSteps", "failures"],
    examples: [
      { line: "ironleased renewals run --dry-run", meaning: "Preview the next renewals." },
    ],
    run: async (call) => (await import("./renewals/run.ts")).runRenewals(call),
  }),
  ...machineCommands,
  command({
    words: ["simulate-payment"],
    summary: "Pay a simulated address of the preview.",
    arguments: [
      { name: "address", meaning: "Deposit address that starts with sim-." },
      { name: "amount", meaning: "Amount in the address's asset, such as 0.01." },
    ],
    options: {
      confirmations: {
        value: "N",
        meaning: "Confirmations of the payment. Default: enough to be credited.",
      },
      transaction: {
        value: "ID",
        meaning: "Transaction id. Using the same id again changes that payment.",
      },
      gone: { meaning: "Remove the payment from the simulated chain. Needs --transaction." },
    },
    fields: ["transactionId", "outcome", "problems"],
    examples: [
      {
        line: "ironleased simulate-payment sim-btc-3kq8 0.01",
        meaning: "Pay 0.01 BTC, credited at once.",
      },
    ],
    run: async (call) => (await import("./deposits/simulate-payment.ts")).payAddress(call),
  }),
  command({
    words: ["backup"],
    summary: "Copy the SQLite database to FILE while the service runs. For PostgreSQL, print how.",
    arguments: [{ name: "file", meaning: "File to create. It must not exist." }],
    fields: ["file", "source", "bytes"],
    examples: [{ line: "ironleased backup ironlease-copy.db", meaning: "Back up the database." }],
    run: async (call) => (await import("./backup.ts")).backUp(call),
  }),
  command({
    words: ["verify"],
    summary: "Check every invariant of money and machines. The service may be running.",
    output: "stream",
    fields: ["holds", "engine", "state", "invariants"],
    examples: [{ line: "ironleased verify", meaning: "Check the database." }],
    run: async (call) => (await import("./verify.ts")).verify(call),
  }),
  command({
    words: ["liabilities", "run"],
    summary: "Sign today's balances of all customers now.",
    description: [
      "The service does this by itself soon after each day has begun (UTC). A date that is signed stays as it is, and a " +
        "date that has passed cannot be signed any more.",
    ],
    options: {
      date: { value: "DATE", meaning: "Refuse unless it is today's date (UTC). Default: today." },
    },
    fields: ["date", "totalUsd", "accounts", "rootHash", "isNew"],
    examples: [
      { line: "ironleased liabilities run", meaning: "Sign today's balances." },
      { line: "ironleased liabilities run --date 2026-11-15", meaning: "Only on this date." },
    ],
    run: async (call) => (await import("./liabilities/run.ts")).runLiabilities(call),
  }),
  command({
    words: ["settlement", "sweep-list"],
    summary: "List what deposit addresses of Ethereum chains hold, as CSV for an offline signer.",
    description: [
      "Each line has the path below the account key, the amount, and the ether that moving it takes.",
      "Sends nothing. An amount without a recorded deposit is marked as unexplained.",
    ],
    output: "stream",
    fields: ["holdings"],
    columns: holdingColumns,
    examples: [
      {
        line: "ironleased settlement sweep-list > sweep.csv",
        meaning: "Write the list for the signer.",
      },
    ],
    run: async (call) => (await import("./settlement/sweep-list.ts")).sweepList(call),
  }),
  command({
    words: ["doctor"],
    summary: "Check settings, clock, data folder, certificate and database. Writes nothing.",
    output: "stream",
    fields: ["ok", "previewOnly", "findings"],
    examples: [{ line: "ironleased doctor", meaning: "Check before the first start." }],
    reportsSources: true,
    run: async (call) => (await import("./doctor/doctor.ts")).runDoctor(call),
  }),
  command({
    words: ["settings"],
    summary: "Show every setting that has a value, and where it comes from.",
    description: ["A secret is never shown."],
    options: {
      preview: { meaning: "Show the defaults of `preview`. Otherwise those of `serve`." },
      all: { meaning: "Show settings without a value too." },
    },
    fields: ["settings"],
    columns: settingColumns,
    examples: [
      { line: "ironleased settings", meaning: "The settings that `serve` would use." },
      {
        line: "ironleased settings --config /etc/ironlease/ironlease.toml",
        meaning: "Check a settings file.",
      },
    ],
    run: async (call) => (await import("./settings.ts")).showSettings(call),
  }),
  command({
    words: ["bundle"],
    summary: "Build one tarball that runs without npm: program, console and Node.",
    description: ["Needs the source tree. It is for machines like this one."],
    ignoresSettings: true,
    arguments: [
      { name: "folder", optional: true, meaning: "Folder for the tarball. Default: dist/bundle." },
    ],
    examples: [{ line: "ironleased bundle", meaning: "Build it, and print its path." }],
    run: async (call) => (await import("./bundle.ts")).bundle(call),
  }),
  command({
    words: ["completion"],
    summary: "Print a shell completion script.",
    ignoresSettings: true,
    arguments: [{ name: "shell", choices: shells, meaning: "Shell to complete in." }],
    examples: [
      {
        line: 'eval "$(ironleased completion bash)"',
        meaning: "Bash, for this shell. Add it to ~/.bashrc to keep it.",
      },
      { line: 'eval "$(ironleased completion zsh)"', meaning: "Zsh, after compinit." },
      {
        line: "ironleased completion fish > ~/.config/fish/completions/ironleased.fish",
        meaning: "Fish.",
      },
    ],
    run: async ({ args, print }) => {
      const { completionScript } = await import("@ironlease/command-line/completion");
      print(completionScript(args.shell, ironleased));
      return 0;
    },
  }),
];

export const ironleased: Program<Command> = {
  name: "ironleased",
  summary: "The Ironlease service and its administration.",
  commands,
  globalOptions: {
    config: {
      value: "FILE",
      meaning: "Read settings from this TOML or JSON file. The environment takes precedence.",
    },
    help: { short: "h", meaning: "Show this help." },
  },
  firstSteps: { title: "Get started", lines: ["ironleased preview", "ironleased doctor"] },
  notes: [
    "Settings come from IRONLEASE_* variables and from --config FILE: docs/reference/configuration.md",
  ],
};
