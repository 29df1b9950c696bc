import { listAllDeposits } from "#features/deposits/list-all-deposits.ts";
import { simulatePayment } from "#features/deposits/simulate-payment.ts";
import { watchSettlement } from "#features/deposits/watch-settlement.ts";
import { singleFlight } from "#kernel/concurrency/single-flight.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";
import { depositOnWire } from "#http/handlers/deposits.ts";

type Deposits = "listAllDeposits" | "simulatePayment";

export function operatorDepositHandlers(core: Core): Handlers<Deposits> {
  const poll = singleFlight(() => watchSettlement(core));
  return {
    listAllDeposits: async ({ query }) => {
      const deposits = (await listAllDeposits(core, query)).map(depositOnWire);
      return ok({ status: 200, body: { deposits } });
    },
    simulatePayment: async ({ core, caller, body }) => {
      const paid = await simulatePayment(core, caller, body, poll);
      if (!paid.ok) return paid;
      // Failures of this poll are ignored here. The next background pass retries and reports them.
      return ok({ status: 201, body: { transactionId: paid.value.transactionId } });
    },
  };
}
