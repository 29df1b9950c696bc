import { assets } from "@ironlease/contract";
import type { Core } from "#kernel/core.ts";
import { connectedAsset } from "#kernel/settlement.ts";
import type { Asset } from "#ports/settlement.ts";
import { currentRate } from "./list-rates.ts";

export interface FreshRate {
  readonly asset: Asset;
  /** USD per whole coin, as a decimal string. */
  readonly usd: string;
  readonly at: number;
}

/** The rates at which payments would be credited now. Leaves out assets that have none or are not connected. */
export async function listFreshRates(
  core: Pick<Core, "settlement" | "rates" | "clock">,
): Promise<readonly FreshRate[]> {
  const connected = assets.filter((asset) => connectedAsset(core.settlement, asset) !== undefined);
  const listed = await Promise.all(connected.map((asset) => currentRate(core, asset)));
  return listed
    .filter((entry) => "rate" in entry)
    .map(({ asset, rate: { rate: usd, at } }) => ({ asset, usd, at }));
}
