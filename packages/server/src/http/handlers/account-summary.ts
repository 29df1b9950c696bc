import { usdFromCents } from "@ironlease/contract";
import { readAccountChanges } from "#features/account-summary/read-account-changes.ts";
import {
  readAccountSummary,
  type AccountSummary,
  type ServerDue,
  type ServersDue,
} from "#features/account-summary/read-account-summary.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

export function accountSummaryHandlers(
  core: Core,
): Handlers<"readAccountSummary" | "readAccountChanges"> {
  return {
    readAccountChanges: async ({ account }) => {
      const { availableCents, heldCents, ...counts } = await readAccountChanges(
        core,
        account.accountId,
      );
      const balanceUsd = usdFromCents(availableCents);
      const sums = { balanceUsd, heldUsd: usdFromCents(heldCents) };
      return ok({ status: 200, body: { username: account.username, ...sums, ...counts } });
    },
    readAccountSummary: async ({ account }) =>
      ok({ status: 200, body: onWire(await readAccountSummary(core, account.accountId)) }),
  };
}

function onWire(summary: AccountSummary) {
  const { balanceCents, lowBalance } = summary;
  return {
    balanceUsd: usdFromCents(balanceCents),
    heldUsd: usdFromCents(summary.heldCents),
    monthlyUsd: usdFromCents(summary.monthlyCents),
    serverStates: [...summary.serverStates],
    grace: serversDueOnWire(summary.grace),
    quotes: serversDueOnWire(summary.quotes),
    lowBalance:
      lowBalance === undefined
        ? null
        : {
            until: isoTime(lowBalance.until),
            neededUsd: usdFromCents(lowBalance.neededCents),
            missingUsd: usdFromCents(lowBalance.neededCents - balanceCents),
          },
    upcoming: summary.upcoming.map(dueOnWire),
    renewals: summary.renewals.map(({ at, count, cents }) => ({
      ...dayOnWire({ at, cents }),
      count,
    })),
    uncovered: dueOrNull(summary.uncovered),
    balances: summary.balances.map(dayOnWire),
  };
}

function dayOnWire({ at, cents }: { readonly at: number; readonly cents: number }) {
  return { day: isoTime(at).slice(0, 10), usd: usdFromCents(cents) };
}

function serversDueOnWire({ count, first }: ServersDue) {
  return { count, first: dueOrNull(first) };
}

function dueOrNull(due: ServerDue | undefined) {
  return due === undefined ? null : dueOnWire(due);
}

function dueOnWire({ at, cents, ...server }: ServerDue) {
  return { ...server, at: isoTime(at), usd: usdFromCents(cents) };
}
