import { parseArgs } from "node:util";
import { simulatePayment } from "../../features/deposits/simulate-payment.ts";
import type { Core } from "../../kernel/core.ts";
import type { SimulatedPayment } from "../../ports/settlement.ts";
import { paymentOutcome } from "./payment-outcome.ts";
import { commandLine, withDatabase, type Environment, type Print } from "../with-database.ts";

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
  if (!payment.address.startsWith("sim-")) {
    print(
      `${payment.address} is not a simulated address: only those that begin with sim- can be paid here.`,
    );
    return 1;
  }
  const startIt = (data: string) =>
    `There is no preview in ${data}: start it first with ironleased preview.`;
  return withDatabase(env, print, startIt, (core) => payAndWatch(core, payment, print));
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

async function payAndWatch(core: Core, payment: SimulatedPayment, print: Print): Promise<number> {
  const paid = await simulatePayment(core, systemCall, payment);
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
  print(await paymentOutcome(core.db, payment, transactionId));
  return failures.length === 0 ? 0 : 1;
}
