import type { RenewalStep } from "./renewal-step.ts";

/** The counts of a pass. */
export interface RenewalCounts {
  /** Charges in the ledger. */
  readonly charged: number;
  /** Terms added, including those of free servers. */
  readonly extended: number;
  /** Servers that entered grace. */
  readonly graced: number;
  /** Servers that left grace because they were paid. */
  readonly healed: number;
  readonly terminated: number;
  /** The sum of the charges. */
  readonly cents: number;
  /** DDoS quotes that expired. */
  readonly expiredQuotes: number;
}

export const noRenewals: RenewalCounts = {
  charged: 0,
  extended: 0,
  graced: 0,
  healed: 0,
  terminated: 0,
  cents: 0,
  expiredQuotes: 0,
};

export function withStep(counts: RenewalCounts, step: RenewalStep): RenewalCounts {
  switch (step.kind) {
    case "renew":
      return {
        ...counts,
        charged: counts.charged + (step.cents > 0 ? 1 : 0),
        extended: counts.extended + 1,
        healed: counts.healed + (step.heals ? 1 : 0),
        cents: counts.cents + step.cents,
      };
    case "enter_grace":
      return { ...counts, graced: counts.graced + 1 };
    case "terminate":
      return { ...counts, terminated: counts.terminated + 1 };
  }
}

export function hasRenewals(counts: RenewalCounts): boolean {
  return Object.values(counts).some((count) => count > 0);
}
