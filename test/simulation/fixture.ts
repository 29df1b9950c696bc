import type { OperatorCall } from "#server/kernel/call.ts";

/** The customers and operators that exist when a run begins. */
export interface Fixture {
  readonly customers: readonly FixtureCustomer[];
  readonly operators: readonly OperatorCall[];
  readonly admin: OperatorCall;
}

export interface FixtureCustomer {
  readonly accountId: string;
  readonly username: string;
  readonly address: string;
  readonly recoveryCode: string;
  readonly sessionId: string;
  /** Servers that exist when the run begins. */
  readonly serverIds: readonly string[];
}

/** The only offer in the catalogue. */
export const offer = { configId: "model", regionId: "model", osId: "model" } as const;
/** Prefix of the idempotency keys used before the run. */
export const fixtureKeyPrefix = "fixture";
