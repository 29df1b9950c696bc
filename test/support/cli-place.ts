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
import { pay } from "./deposits.ts";
import { assertInvariantsHold } from "./rental.ts";
import { password } from "./service.ts";
import { ironlease, type Around, type Ran } from "./terminal.ts";

/** A preview in a process of its own, and people who use it from a command line. */
export interface CliPlace {
  readonly daemon: Daemon;
  /** Its certificate authority's file. */
  readonly ca: string;
  /** The preview's data folder is `data` in here. */
  readonly folder: string;
  /** The same database, for what no customer can do. */
  readonly core: Core;
  /** Somebody with a fresh account and a configuration folder of their own. */
  newcomer(): Promise<Customer>;
  /** Pays an address; with no confirmations given, as many as are needed. */
  pay(address: string, amount: string, more?: Parameters<typeof pay>[3]): Promise<string>;
  close(): Promise<void>;
}

export interface Customer {
  readonly username: string;
  readonly recoveryCode: string;
  readonly env: Readonly<Record<string, string>>;
  accountId(): Promise<string>;
  /** Runs a command in this process. */
  run(argv: readonly string[], around?: Around): Promise<Ran>;
  /** The same, and gives what `--json` prints. */
  json(argv: readonly string[], around?: Around): Promise<any>; // oxlint-disable-line typescript/no-explicit-any -- a test asserts on it field by field
  /** Puts money on the account, as a deposit. */
  fund(btc: string): Promise<void>;
}

let customers = 0;

export async function openCliPlace(): Promise<CliPlace> {
  const folder = temporaryFolder();
  const IRONLEASE_DATA = join(folder, "data");
  const daemon = await startIronleased("preview", { IRONLEASE_DATA, IRONLEASE_AUTH_LIMITS: "off" });
  const config = readConfig("preview", { IRONLEASE_DATA });
  const core = createCore(config, await openDatabase(config, createLog("silent")));
  const ca = join(IRONLEASE_DATA, "tls", "ca.pem");
  const paying: CliPlace["pay"] = async (address, amount, more) => {
    const transactionId = await pay(core, address, amount, more);
    await watchSettlement(core);
    return transactionId;
  };
  return {
    ...{ daemon, ca, folder, core, pay: paying },
    newcomer: () => register(daemon, ca, core, paying),
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
  pay: CliPlace["pay"],
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
  const joining = ["register", username, "--url", daemon.url, "--ca", ca, "--password-stdin"];
  const { recoveryCode } = await json(joining, { piped: `${password}\n` });
  return {
    ...{ username, recoveryCode, env, run, json },
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
