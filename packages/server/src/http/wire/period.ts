import type { Period } from "#kernel/ledger-period.ts";
import { ok, refuseField } from "#kernel/result.ts";
import type { Result } from "#ports/result.ts";

/** The period that a query names. */
export function readPeriod(query: {
  readonly from?: string;
  readonly to?: string;
}): Result<Period> {
  const from = timeOf(query.from);
  const to = timeOf(query.to);
  for (const [field, time] of Object.entries({ from, to })) {
    if (Number.isNaN(time)) return refuseField(field, "must be a date that exists");
  }
  if (from !== undefined && to !== undefined && from > to) {
    return refuseField("to", "must not be before `from`");
  }
  return ok({ from, to });
}

/** NaN for a date that no calendar has, such as 30 February. */
function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, 10));
  return isReal ? time : Number.NaN;
}
