import type { OperationOf } from "./operations.ts";
import { account, confirmationsRequired, type Model, type ModelPayment } from "./state.ts";

/** The network tells of a payment. When it is credited is for the service to find out. */
export function pay(model: Model, operation: OperationOf<"pay">): string {
  const { account, cents, confirmations } = operation;
  const name = paymentName(operation);
  const payment = model.payments.get(name) ?? {
    ...{ account, cents, told: [], recorded: -1, isCredited: false },
  };
  payment.told.push(confirmations);
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

/** What was recorded of a payment has changed, perhaps: says what is wrong with it, if anything is. */
export function record(model: Model, recorded: RecordedPayment): string | undefined {
  const payment = model.payments.get(recorded.name);
  if (payment === undefined) return "nobody paid it";
  if (!hears(payment, recorded.confirmations))
    return "its confirmations are older news than before";
  if (recorded.isCredited === payment.isCredited) return undefined;
  if (payment.isCredited) return "its credit is gone";
  if (recorded.confirmations < confirmationsRequired) return "it did not have its confirmations";
  payment.isCredited = true;
  account(model, payment).available += payment.cents;
  return undefined;
}

/** The service may be behind its network, and never goes back from what it knew. */
function hears(payment: ModelPayment, confirmations: number): boolean {
  const { told, recorded } = payment;
  payment.recorded = told.indexOf(confirmations, Math.max(recorded, 0));
  return payment.recorded !== -1;
}

/** Payments that a pass without trouble would have credited. */
export function uncredited(model: Model): readonly string[] {
  return [...model.payments].flatMap(([name, { told, isCredited }]) =>
    (told.at(-1) ?? 0) >= confirmationsRequired && !isCredited ? [name] : [],
  );
}
