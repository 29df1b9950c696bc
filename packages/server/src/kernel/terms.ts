import type { Term } from "#ports/schema.ts";

const dayMs = 86_400_000;

/** How long a term is: days of 24 hours, whatever the calendar does. */
export const termMs: Readonly<Record<Term, number>> = { weekly: 7 * dayMs, monthly: 30 * dayMs };
