import type { RawBuilder } from "kysely";

/**
 * A condition that must always hold. Its violations are found in one statement, so that it sees a consistent snapshot
 * of a database under load. Every returned row is a violation.
 */
export interface Invariant {
  readonly number: number;
  readonly title: string;
  /** How many rows were checked. */
  readonly count: RawBuilder<{ count: number }>;
  readonly offenders: RawBuilder<{ subject: string; problem: string }>;
}

export interface Offender {
  readonly subject: string;
  readonly problem: string;
}

export interface Finding {
  readonly number: number;
  readonly title: string;
  readonly count: number;
  /** Limited to a readable number. `more` says whether there are others. */
  readonly offenders: readonly Offender[];
  readonly more: boolean;
}

export const maxOffenders = 20;
