import type { Core } from "#kernel/core.ts";
import type { Settlement } from "#ports/settlement.ts";

/** What one pass over the networks did. */
export interface SettlementPass {
  /** New payments. */
  seen: number;
  credited: number;
  /** Payments that disappeared before they were credited. */
  gone: number;
  /** Errors. None of them stops the pass, and the next pass retries. */
  readonly failures: unknown[];
}

/** More failures in one pass add nothing: something is down, and the next pass retries. */
export const maxFailures = 20;

/** One pass over the networks of the connected provider. */
export interface SettlementRun {
  readonly core: Core;
  readonly settlement: Settlement;
  readonly pass: SettlementPass;
  readonly stop: AbortSignal | undefined;
}
