import type { Term } from "#ports/schema.ts";

const dayMs = 86_400_000;

/** The length of a term in 24-hour days, whatever the calendar says. */
export const termMs: Readonly<Record<Term, number>> = { weekly: 7 * dayMs, monthly: 30 * dayMs };
