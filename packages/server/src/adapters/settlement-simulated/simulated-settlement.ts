import type { Db } from "#ports/db.ts";
import type { Random } from "#ports/random.ts";
import type { Chain, Settlement, SimulatedPayments } from "#ports/settlement.ts";
import { simulatedNetworks } from "./simulated-assets.ts";
import { createSimulatedChain } from "./simulated-chain.ts";
import { createSimulatedPayments } from "./simulated-payments.ts";

/** A call of the simulated node that can be made to fail. */
export type NodeCall = "health" | "prepareAddress" | "scan";

export interface SimulatedSettlement extends Settlement {
  readonly payments: SimulatedPayments;
  /** Makes the next such call, on any chain, fail with this error. */
  failNext(call: NodeCall, error: Error): void;
}

/**
 * Chains that are a table: they survive restarts, and every instance sees the same payments. No network accepts their
 * addresses, so a preview cannot lose a coin.
 */
export function createSimulatedSettlement(db: Db, random: Random): SimulatedSettlement {
  const failures = new Map<NodeCall, Error>();
  const failing = (chain: Chain): Chain => {
    const failIfAsked = (call: NodeCall) => {
      const failure = failures.get(call);
      failures.delete(call);
      if (failure !== undefined) throw failure;
    };
    return {
      ...chain,
      health: async (...args) => {
        failIfAsked("health");
        return chain.health(...args);
      },
      prepareAddress: async (...args) => {
        failIfAsked("prepareAddress");
        return chain.prepareAddress(...args);
      },
      scan: async (...args) => {
        failIfAsked("scan");
        return chain.scan(...args);
      },
    };
  };
  return {
    mode: "SIMULATED",
    chains: [...simulatedNetworks].map((network) => failing(createSimulatedChain(db, network))),
    payments: createSimulatedPayments(db, random),
    failNext: (call, error) => failures.set(call, error),
  };
}
