import { usdFromCents } from "@ironlease/contract";
import { listAllDeposits } from "#features/deposits/list-all-deposits.ts";
import { simulatePayment } from "#features/deposits/simulate-payment.ts";
import { watchSettlement } from "#features/deposits/watch-settlement.ts";
import { listAudit } from "#features/audit/list-audit.ts";
import { readOverview, type Overview } from "#features/overview/read-overview.ts";
import type { Core } from "#kernel/core.ts";
import { sharedRuns } from "#kernel/concurrency/single-flight.ts";
import { isoTime, isoTimeOrNull } from "#ports/clock.ts";
import { ok } from "#ports/result.ts";
import type { Handlers } from "#http/bind.ts";
import { depositOnWire } from "#http/handlers/deposits.ts";

export function oversightHandlers(
  core: Core,
): Handlers<"readOverview" | "listAudit" | "listAllDeposits" | "simulatePayment"> {
  const look = sharedRuns(() => watchSettlement(core));
  return {
    readOverview: async () => ok({ status: 200, body: overviewOnWire(await readOverview(core)) }),
    listAudit: async ({ query }) => {
      const found = await listAudit(core, query);
      if (!found.ok) return found;
      const entries = found.value.map((entry) => ({ ...entry, at: isoTime(entry.at) }));
      return ok({ status: 200, body: { entries } });
    },
    listAllDeposits: async ({ query }) => {
      const deposits = (await listAllDeposits(core, query)).map(depositOnWire);
      return ok({ status: 200, body: { deposits } });
    },
    simulatePayment: async ({ core, operator, client, body }) => {
      const payer = { actor: operator.operatorId, ipAddress: client.ipAddress };
      const paid = await simulatePayment(core, payer, body, look);
      if (!paid.ok) return paid;
      // Trouble with looking at it is the next pass's to meet and to report.
      return ok({ status: 201, body: { transactionId: paid.value.transactionId } });
    },
  };
}

function overviewOnWire({ at, work, servers, machines, days, ...sums }: Overview) {
  return {
    work: work.map(({ oldestAt, ...figure }) => ({
      ...figure,
      oldestAt: isoTimeOrNull(oldestAt),
      oldestAgeSeconds: oldestAt === null ? null : secondsBetween(oldestAt, at),
    })),
    servers: [...servers],
    machines: [...machines],
    balancesUsd: usdFromCents(sums.availableCents),
    heldUsd: usdFromCents(sums.heldCents),
    revenueByDay: days.map(({ day, revenueCents }) => ({ day, usd: usdFromCents(revenueCents) })),
    depositsByDay: days.map(({ day, depositsCents }) => ({
      day,
      usd: usdFromCents(depositsCents),
    })),
    payoutsByDay: days.map(({ day, payoutsCents }) => ({ day, usd: usdFromCents(payoutsCents) })),
  };
}

function secondsBetween(earlier: number, later: number): number {
  return Math.max(0, Math.floor((later - earlier) / 1000));
}
