import { usdFromCents } from "@ironlease/contract";
import { readOverview, type Overview } from "#features/overview/read-overview.ts";
import { readReverseDnsFigure } from "#features/reverse-dns/read-figure.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime, isoTimeOrNull } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

export function overviewHandlers(core: Core): Handlers<"readOverview"> {
  return {
    readOverview: async () => {
      const overview = overviewOnWire(await readOverview(core));
      const reverseDns = (await readReverseDnsFigure(core)) ?? null;
      return ok({ status: 200, body: { ...overview, reverseDns } });
    },
  };
}

function overviewOnWire({ at, work, servers, machines, days, ...sums }: Overview) {
  return {
    work: work.map(({ oldestAt, targetMs, ...figure }) => ({
      ...figure,
      targetSeconds: targetMs / 1000,
      oldestAt: isoTimeOrNull(oldestAt),
      oldestAgeSeconds: oldestAt === null ? null : secondsBetween(oldestAt, at),
    })),
    servers: [...servers],
    machines: [...machines],
    balancesUsd: usdFromCents(sums.availableCents),
    heldUsd: usdFromCents(sums.heldCents),
    fundsAt: isoTime(sums.fundsAt),
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
