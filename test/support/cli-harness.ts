import assert from "node:assert/strict";
import { join } from "node:path";
import { findCommand } from "@ironlease/command-line";
import { ironlease as program } from "#cli/commands/index.ts";
import { createLog } from "#server/adapters/system/log.ts";
import { readConfig } from "#server/config.ts";
import { watchSettlement } from "#server/features/deposits/watch-settlement.ts";
import type { Core } from "#server/kernel/core.ts";
import { createCore } from "#server/composition/create-core.ts";
import { openDatabase } from "#server/composition/open-database.ts";
import { startIronleased, temporaryFolder, type Daemon } from "./daemon.ts";
import { noMailServer } from "./no-mail-server.ts";
import { pay } from "./deposits.ts";
import { assertInvariantsHold } from "./rental.ts";
import { password } from "./service.ts";
import { ironlease, type RunOptions, type RunResult } from "./terminal.ts";

/** A preview in a separate process, and customers who use it with `ironlease`. */
export interface CliHarness {
  readonly daemon: Daemon;
  /** The path of its CA certificate. */
  readonly ca: string;
  /** Contains the preview's data folder, `data`. */
  readonly folder: string;
  /** A second connection to the preview's database, for operations that customers lack. */
  readonly core: Core;
  /** Registers an account, with its own configuration folder. */
  newCustomer(): Promise<Customer>;
  /** Pays an address, by default with enough confirmations to be credited. */
  pay(address: string, amount: string, more?: Parameters<typeof pay>[3]): Promise<string>;
  close(): Promise<void>;
}

export interface Customer {
  readonly username: string;
  readonly recoveryCode: string;
  readonly env: Readonly<Record<string, string>>;
  accountId(): Promise<string>;
  /** Runs a command in this process. */
  run(argv: readonly string[], around?: RunOptions): Promise<RunResult>;
  /** Runs a command with `--json` and returns the parsed output. */
  json(argv: readonly string[], around?: RunOptions): Promise<any>; // oxlint-disable-line typescript/no-explicit-any -- a test asserts on it field by field
  /** Deposits money. */
  fund(btc: string): Promise<void>;
}

let customers = 0;

export async function openCliHarness(): Promise<CliHarness> {
  const folder = temporaryFolder();
  const IRONLEASE_DATA = join(folder, "data");
  const daemon = await startIronleased("preview", {
    IRONLEASE_DATA,
    IRONLEASE_AUTH_LIMITS: "off",
    IRONLEASE_WEBHOOK_ALLOW: "127.0.0.1",
    ...noMailServer,
  });
  const config = readConfig("preview", { IRONLEASE_DATA });
  const core = createCore(config, await openDatabase(config, createLog("silent")));
  const ca = join(IRONLEASE_DATA, "tls", "ca.pem");
  const paying: CliHarness["pay"] = async (address, amount, more) => {
    const transactionId = await pay(core, address, amount, more);
    await watchSettlement(core);
    return transactionId;
  };
  return {
    daemon,
    ca,
    folder,
    core,
    pay: paying,
    newCustomer: () => register(daemon, ca, core, paying),
    close: async () => {
      await assertInvariantsHold(core.db);
      await core.db.close();
      await daemon.stop();
    },
  };
}

async function register(
  daemon: Daemon,
  ca: string,
  core: Core,
  pay: CliHarness["pay"],
): Promise<Customer> {
  const username = `customer${(customers += 1)}`;
  const env = { XDG_CONFIG_HOME: temporaryFolder() };
  const run: Customer["run"] = (argv, around = {}) =>
    ironlease(argv, { ...around, env: { ...env, ...around.env } });
  const json: Customer["json"] = async (argv, around) => {
    const { code, stdout, stderr } = await run([...argv, "--json"], around);
    assert.equal(code, 0, stderr);
    const answer = JSON.parse(stdout);
    const found = findCommand(program, argv);
    const fields = found.kind === "command" ? found.command.fields : undefined;
    for (const name of Object.keys(answer)) assert.ok(fields?.includes(name) ?? true, name);
    return answer;
  };
  const registration = ["register", username, "--url", daemon.url, "--ca", ca, "--password-stdin"];
  const { recoveryCode } = await json(registration, { piped: `${password}\n` });
  return {
    username,
    recoveryCode,
    env,
    run,
    json,
    accountId: async () => {
      const accounts = core.db.read.selectFrom("accounts").select("id");
      return (await accounts.where("username", "=", username).executeTakeFirstOrThrow()).id;
    },
    fund: async (btc) => {
      const { address } = await json(["deposit", "create", "BTC"]);
      await pay(address, btc);
    },
  };
}
