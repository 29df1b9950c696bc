import type { OperationOf } from "./operations.ts";
import { account, confirmationsRequired, emit, type Model, type ModelPayment } from "./state.ts";

/** Records what the network reports about a payment. `record` credits it when the service has done so. */
export function pay(model: Model, operation: OperationOf<"pay">): string {
  const { account, cents, confirmations } = operation;
  const name = paymentName(operation);
  const payment = model.payments.get(name) ?? {
    account,
    cents,
    reported: [],
    recorded: -1,
    isCredited: false,
  };
  payment.reported.push(confirmations);
  model.payments.set(name, payment);
  return "ok";
}

export function paymentName({ account, payment }: OperationOf<"pay">): string {
  return `payment-${account}-${payment}`;
}

/** A payment as the service has recorded it. */
export interface RecordedPayment {
  readonly name: string;
  readonly confirmations: number;
  readonly isCredited: boolean;
}

/** Compares the service's record of a payment with the model. Returns the problem, if any. */
export function record(model: Model, recorded: RecordedPayment): string | undefined {
  const payment = model.payments.get(recorded.name);
  if (payment === undefined) return "the payment was never made";
  if (payment.recorded === -1) emit(account(model, payment), "deposit.seen");
  if (!recordReport(payment, recorded.confirmations))
    return "the number of confirmations went back or was never reported";
  if (recorded.isCredited === payment.isCredited) return undefined;
  if (payment.isCredited) return "the credit was removed";
  if (recorded.confirmations < confirmationsRequired)
    return "it was credited without enough confirmations";
  payment.isCredited = true;
  account(model, payment).available += payment.cents;
  emit(account(model, payment), "deposit.credited");
  return undefined;
}

/** The service's record may lag behind the network's reports, but must not go back to an older one. */
function recordReport(payment: ModelPayment, confirmations: number): boolean {
  const { reported, recorded } = payment;
  payment.recorded = reported.indexOf(confirmations, Math.max(recorded, 0));
  return payment.recorded !== -1;
}

/** Payments that a pass without faults must have credited. */
export function uncredited(model: Model): readonly string[] {
  return [...model.payments].flatMap(([name, { reported, isCredited }]) =>
    (reported.at(-1) ?? 0) >= confirmationsRequired && !isCredited ? [name] : [],
  );
}
