import type { Core } from "#kernel/core.ts";
import type { Payouts } from "#ports/payouts.ts";
import { SettlementUnavailable, type Chain } from "#ports/settlement.ts";

/** A chain that can prepare payouts. */
export interface PayoutChain {
  readonly chain: Chain;
  readonly payouts: Payouts;
}

/** Throws `SettlementUnavailable` when the chain of a payout is no longer connected. */
export function payoutChain(
  { settlement }: Pick<Core, "settlement">,
  network: string,
): PayoutChain {
  const chain = settlement?.chains.find((connected) => connected.network === network);
  if (chain?.payouts === undefined) {
    throw new SettlementUnavailable(`${network} is not connected`);
  }
  return { chain, payouts: chain.payouts };
}
