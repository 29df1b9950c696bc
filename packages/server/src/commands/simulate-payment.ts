import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createLog } from "../adapters/system/log.ts";
import { readConfig, type Config } from "../config.ts";
import { simulatePayment } from "../features/deposits/simulate-payment.ts";
import { createCore, openDatabase } from "../main.ts";
import { migrations } from "../migrations/index.ts";
import type { Db } from "../ports/db.ts";
import type { SimulatedPayment } from "../ports/settlement.ts";
import { paymentOutcome } from "./payment-outcome.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Print = (line: string) => void;

const usage =
  "Usage: ironleased simulate-payment ADDRESS AMOUNT [--confirmations N] [--transaction ID] [--gone]";

/**
 * Pays a simulated address of a preview, running or stopped, and says what came of it. Exit code 1
 * when the payment is refused, 2 when the command line is not understood.
 */
export async function simulatePaymentCommand(
  args: readonly string[],
  env: Environment,
  print: Print,
): Promise<number> {
  const payment = readPayment(args);
  if (typeof payment === "string") {
    print(payment);
    print(usage);
    return 2;
  }
  const config = readConfig("preview", env);
  const obstacle = obstacleTo(payment, config);
  if (obstacle !== undefined) {
    print(obstacle);
    return 1;
  }
  const db = await openDatabase(config, createLog("silent"));
  try {
    return await payAndWatch(db, config, payment, print);
  } finally {
    await db.close();
  }
}

/** The payment that the arguments describe, or a sentence that says what is wrong with them. */
function readPayment(args: readonly string[]): SimulatedPayment | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        confirmations: { type: "string" },
        transaction: { type: "string" },
        gone: { type: "boolean" },
      },
    });
    const [address, amount, ...rest] = positionals;
    if (address === undefined || amount === undefined || rest.length > 0) {
      return "It takes an address and an amount.";
    }
    const { confirmations, transaction, gone } = values;
    if (confirmations !== undefined && !/^\d{1,9}$/.test(confirmations)) {
      return "--confirmations takes a whole number from 0.";
    }
    if (gone === true && transaction === undefined) {
      return "--gone needs --transaction: it says which payment disappears.";
    }
    return {
      address,
      amount,
      confirmations: confirmations === undefined ? undefined : Number(confirmations),
      transactionId: transaction,
      isGone: gone,
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What makes it pointless to open the database, which would make an empty one where there is none. */
function obstacleTo({ address }: SimulatedPayment, config: Config): string | undefined {
  if (!address.startsWith("sim-")) {
    return `${address} is not a simulated address: only those that begin with sim- can be paid here.`;
  }
  if (config.databaseUrl === undefined && !existsSync(join(config.data, "ironlease.db"))) {
    return `There is no preview in ${config.data}: start it first with ironleased preview.`;
  }
  return undefined;
}

async function payAndWatch(
  db: Db,
  config: Config,
  payment: SimulatedPayment,
  print: Print,
): Promise<number> {
  const pending = await db.pending(migrations);
  if (pending.length > 0) {
    print(`The database lacks ${pending.join(", ")}: run ironleased migrate first.`);
    return 1;
  }
  const paid = await simulatePayment(createCore(config, db), commandLine, payment);
  if (!paid.ok) {
    const { code, fields = [] } = paid.refusal;
    if (code === "settlement_unavailable") {
      print("IRONLEASE_SETTLEMENT is none, so nothing is simulated: leave it out.");
    }
    for (const { field, message } of fields) print(`The ${field} ${message}.`);
    return 1;
  }
  const { transactionId, failures } = paid.value;
  for (const failure of failures) {
    print(`It could not be looked at: ${failure instanceof Error ? failure.message : "unknown"}.`);
  }
  print(await paymentOutcome(db, payment, transactionId));
  return failures.length === 0 ? 0 : 1;
}

const commandLine = { actor: "system", ipAddress: "" } as const;
