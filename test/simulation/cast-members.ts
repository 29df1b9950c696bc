import type { OperatorCall } from "#server/kernel/call.ts";

/** Who and what is there when a run begins. */
export interface Cast {
  readonly customers: readonly CastCustomer[];
  readonly operators: readonly OperatorCall[];
  readonly admin: OperatorCall;
}

export interface CastCustomer {
  readonly accountId: string;
  readonly username: string;
  readonly address: string;
  /** Of servers that it has from the start. */
  readonly serverIds: readonly string[];
}

/** The one offer that everybody rents from. */
export const offer = { configId: "model", regionId: "model", osId: "model" } as const;
/** How the keys begin that were used before a run. */
export const castKey = "cast";
