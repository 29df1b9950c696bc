import { coinAmount, unitsOf } from "#kernel/coin-amount.ts";
import type { Core } from "#kernel/core.ts";
import { freshRate } from "#kernel/fresh-rate.ts";
import { connectedAsset } from "#kernel/settlement.ts";
import type { Item } from "#kernel/work-effects.ts";
import type { WorkItem } from "#kernel/work-queue/items.ts";
import { SettlementFailed, SettlementUnavailable } from "#ports/settlement.ts";

/**
 * What an operator must pay for a withdrawal, at the rate of this moment. Without a rate the item can be claimed all the
 * same, for example to reject it, and says why there is no amount.
 */
export async function priceWithdrawal(
  core: Core,
  { asset, cents }: Item,
): Promise<WorkItem["detail"] | undefined> {
  const connected = asset === null ? undefined : connectedAsset(core.settlement, asset);
  if (asset === null || cents === null || connected === undefined) return undefined;
  const { decimals } = connected.terms;
  try {
    const { rate } = await freshRate(core, asset);
    const units = unitsOf(cents, decimals, rate);
    if (units !== undefined)
      return { amount: coinAmount(units, decimals), rate, amountError: null };
    return unpriced(`the rate of ${asset} is not a decimal above zero`);
  } catch (error) {
    if (error instanceof SettlementUnavailable || error instanceof SettlementFailed) {
      return unpriced(error.message);
    }
    throw error;
  }
}

function unpriced(amountError: string): WorkItem["detail"] {
  return { amount: null, rate: null, amountError };
}
