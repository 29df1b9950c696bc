import { audit } from "#kernel/audit.ts";
import type { Call } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { ok, refuse, type Result } from "#ports/result.ts";
import type { SimulatedPayment } from "#ports/settlement.ts";
import { watchSettlement } from "./watch-settlement.ts";

export interface PaidWithoutMoney {
  readonly transactionId: string;
  /** What kept the payment from being looked at at once; the next pass does. */
  readonly failures: readonly unknown[];
}

/**
 * Pays an address of the simulated provider and looks at once what that does. Where many pay at once, `look`
 * is one that they share.
 */
export async function simulatePayment(
  core: Core,
  call: Call,
  payment: SimulatedPayment,
  look = () => watchSettlement(core),
): Promise<Result<PaidWithoutMoney>> {
  // The provider has a database handle of its own, which knows nothing of the caller's access.
  const allowed = await core.db.write(async () => ok());
  if (!allowed.ok) return allowed;
  const payments = core.settlement?.payments;
  if (payments === undefined) {
    return refuse("settlement_unavailable", {
      message: "Only the simulated provider of a preview can be paid without money.",
    });
  }
  const paid = await payments.simulatePayment(payment);
  if (!paid.ok) return paid;
  const { transactionId } = paid.value;
  const { address, amount, confirmations = null, isGone = false } = payment;
  // The provider is outside: no transaction of ours spans both. To repeat the payment does no harm.
  await core.db.write(async (tx) => {
    const detail = { address, amount, confirmations, isGone };
    await audit({ tx, core, call }, "payment.simulate", transactionId, detail);
    return ok();
  });
  const { failures } = await look();
  return ok({ transactionId, failures });
}
