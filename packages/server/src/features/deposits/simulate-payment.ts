import { audit } from "#kernel/audit.ts";
import type { Call } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { SimulatedPayment } from "#ports/settlement.ts";
import { watchSettlement } from "./watch-settlement.ts";

export interface PaidWithoutMoney {
  readonly transactionId: string;
  /** Errors of the settlement pass right after the payment. The next pass retries. */
  readonly failures: readonly unknown[];
}

/**
 * Pays a simulated address and then runs a settlement pass. Concurrent payments may share one pass through `watch`.
 */
export async function simulatePayment(
  core: Core,
  call: Call,
  payment: SimulatedPayment,
  watch = () => watchSettlement(core),
): Promise<Result<PaidWithoutMoney>> {
  // The provider has its own database handle, which does not recheck the caller's access.
  const allowed = await core.db.write(async () => ok());
  if (!allowed.ok) return allowed;
  const payments = core.settlement?.payments;
  if (payments === undefined) {
    return refuse("settlement_unavailable", {
      message: "Simulated payments need the simulated settlement provider of a preview.",
    });
  }
  const paid = await payments.simulatePayment(payment);
  if (!paid.ok) return paid;
  const { transactionId } = paid.value;
  const { address, amount, confirmations = null, isGone = false } = payment;
  // The provider is external, so no transaction spans both. Repeating the payment is harmless.
  await core.db.write(async (tx) => {
    const detail = { address, amount, confirmations, isGone };
    await audit({ tx, core, call }, "payment.simulate", transactionId, detail);
    return ok();
  });
  const { failures } = await watch();
  return ok({ transactionId, failures });
}
