/** What one pass over the networks did. */
export interface SettlementPass {
  /** Payments that were not known before. */
  seen: number;
  credited: number;
  /** Payments that disappeared before they were credited. */
  gone: number;
  /** What went wrong on the way: none of it stops the rest, and the next pass tries it again. */
  readonly failures: unknown[];
}

/** More of them in one pass say nothing new: something is down, and the next pass will see. */
export const maxFailures = 20;
