import { UsageError } from "@ironlease/command-line";
import { simulatePayment } from "#features/deposits/simulate-payment.ts";
import type { Core } from "#kernel/core.ts";
import type { SimulatedPayment } from "#ports/settlement.ts";
import type { Call } from "#commands/command.ts";
import { paymentOutcome } from "./payment-outcome.ts";
import { withDatabase } from "#commands/with-database.ts";
import { systemCall } from "#kernel/call.ts";

interface PaymentOptions {
  readonly confirmations: string | undefined;
  readonly transaction: string | undefined;
  readonly gone: boolean;
}

type PayCall = Call<{ readonly address: string; readonly amount: string }, PaymentOptions>;

const startPreview = (data: string) => `No preview in ${data}. Start it first: ironleased preview`;

/** Pays a simulated address of a preview, running or stopped. Exit code 1 if the payment is refused. */
export async function payAddress(call: PayCall): Promise<number> {
  const { args, options, env, print } = call;
  const payment = readPayment(args, options);
  if (!payment.address.startsWith("sim-")) {
    print(`${payment.address} is not a simulated address. Simulated addresses start with sim-.`);
    return 1;
  }
  const pay = (core: Core) => payAndReport(core, payment, call);
  return withDatabase(env, print, startPreview, pay, "preview");
}

function readPayment({ address, amount }: PayCall["args"], options: PaymentOptions) {
  const { confirmations, transaction, gone } = options;
  const help = "ironleased simulate-payment --help";
  if (confirmations !== undefined && !/^\d{1,9}$/.test(confirmations)) {
    throw new UsageError("--confirmations must be a whole number, 0 or more.", help);
  }
  if (gone && transaction === undefined) {
    throw new UsageError("--gone needs --transaction, the payment to remove.", help);
  }
  return {
    address,
    amount,
    confirmations: confirmations === undefined ? undefined : Number(confirmations),
    transactionId: transaction,
    isGone: gone,
  };
}

async function payAndReport(
  core: Core,
  payment: SimulatedPayment,
  { print, data }: Pick<PayCall, "print" | "data">,
): Promise<number> {
  const paid = await simulatePayment(core, systemCall, payment);
  if (!paid.ok) {
    const { code, fields = [] } = paid.refusal;
    if (code === "settlement_unavailable") {
      print("IRONLEASE_SETTLEMENT is none, so payments are not simulated. Unset it.");
    }
    for (const { field, message } of fields) print(`The ${field} ${message}.`);
    return 1;
  }
  const { transactionId, failures } = paid.value;
  const problems = failures.map(
    (failure) =>
      `The payment could not be read: ${failure instanceof Error ? failure.message : "unknown"}.`,
  );
  for (const problem of problems) print(problem);
  const outcome = await paymentOutcome(core.db, payment, transactionId);
  data({ transactionId, outcome, problems });
  print(outcome);
  return failures.length === 0 ? 0 : 1;
}
