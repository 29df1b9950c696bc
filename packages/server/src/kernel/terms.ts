import type { Term } from "#ports/schema.ts";

const dayMs = 86_400_000;

/** The length of a term: 7 or 30 days of 24 hours, independent of the calendar. */
export const termMs: Readonly<Record<Term, number>> = { weekly: 7 * dayMs, monthly: 30 * dayMs };
