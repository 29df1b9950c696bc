import type { LedgerEntry } from "@ironlease/client";
import { oneOf, optional, useFilters } from "#ui/filters.ts";
import { useNow } from "#ui/time.tsx";
import { ledgerTypes, type LedgerType } from "#account/shared/ledger-types.ts";
import {
  periodChoices,
  periodOf,
  type CustomDays,
  type Period,
  type PeriodChoice,
} from "#account/shared/period.ts";

/** Which entries the page shows. */
export interface LedgerFilter {
  readonly choice: PeriodChoice;
  readonly days: CustomDays;
  readonly type: LedgerType | undefined;
  /** Undefined while the custom days are incomplete. */
  readonly period: Period | undefined;
  readonly after: string | undefined;
}

export const typeOrder = Object.keys(ledgerTypes) as LedgerEntry["type"][];
const choices = Object.keys(periodChoices) as PeriodChoice[];

/** The filter is part of the URL, so that it survives a reload and a visit to a receipt. */
export function useLedgerFilter(): LedgerFilter {
  const { get } = useFilters();
  const now = new Date(useNow(60_000));
  const choice = oneOf(choices, get("period")) ?? "all";
  const days = { first: dayOf(get("first")), last: dayOf(get("last")) };
  return {
    choice,
    days,
    type: oneOf(typeOrder, get("type")),
    period: periodOf(choice, days, now),
    after: optional(get("after")),
  };
}

/** A date of the URL, or nothing if it is none. */
function dayOf(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : "";
}
