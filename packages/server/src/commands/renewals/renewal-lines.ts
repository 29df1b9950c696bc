import { usdFromCents } from "@ironlease/contract";
import type { RenewalCounts } from "#features/renewals/renewal-counts.ts";
import type { RenewalStep } from "#features/renewals/renewal-step.ts";
import { isoTime } from "#kernel/iso-time.ts";

const widths = { due: 24, server: 30, account: 30, action: 9, usd: 12 };

export const stepHeading = columns("DUE", "SERVER", "ACCOUNT", "ACTION", "USD", "RESULT");

/** One step of a pass, whether real or a dry run. */
export function stepLine(step: RenewalStep): string {
  const start = [isoTime(step.dueAt), step.serverId, step.accountId] as const;
  switch (step.kind) {
    case "renew": {
      const result = `paid through ${isoTime(step.paidThrough)}${step.heals ? ", out of grace" : ""}`;
      return step.cents === 0
        ? columns(...start, "extend", "", result)
        : columns(...start, "charge", usd(step.cents), result);
    }
    case "enter_grace":
      return columns(...start, "grace", "", `ends at ${isoTime(step.graceUntil)} unless paid`);
    case "terminate":
      return columns(...start, "terminate", "", `machine ${step.machineId} to be reclaimed`);
  }
}

/** The same step for programs. */
export function stepDocument(step: RenewalStep): object {
  const { serverId, accountId } = step;
  const start = { dueAt: isoTime(step.dueAt), serverId, accountId };
  switch (step.kind) {
    case "renew": {
      const { cents, paidThrough, heals: outOfGrace } = step;
      const usd = usdFromCents(cents);
      return { ...start, action: "renew", usd, paidThrough: isoTime(paidThrough), outOfGrace };
    }
    case "enter_grace":
      return { ...start, action: "enter_grace", graceUntil: isoTime(step.graceUntil) };
    case "terminate":
      return { ...start, action: "terminate", machineId: step.machineId };
  }
}

export function totalLine(counts: RenewalCounts): string {
  const { charged, cents, extended, healed, graced, terminated, expiredQuotes } = counts;
  return [
    `Total: ${charged} charged (${usd(cents)} USD)`,
    `${extended} extended`,
    `${healed} out of grace`,
    `${graced} into grace`,
    `${terminated} terminated`,
    `${expiredQuotes} quotes expired.`,
  ].join(", ");
}

function columns(
  due: string,
  server: string,
  account: string,
  action: string,
  usd: string,
  result: string,
): string {
  return [
    due.padEnd(widths.due),
    server.padEnd(widths.server),
    account.padEnd(widths.account),
    action.padEnd(widths.action),
    usd.padStart(widths.usd),
    result,
  ].join("  ");
}

function usd(cents: number): string {
  return (cents / 100).toFixed(2);
}
