import type { Checked } from "#kernel/checked.ts";
import { connectedAsset } from "#kernel/settlement.ts";
import type { Asset, Settlement } from "#ports/settlement.ts";
import { checkDestination } from "./check-destination.ts";

/** Whether the service could pay this asset to the destination. */
export function checkPayable(
  settlement: Settlement | undefined,
  { asset, destination }: { readonly asset: Asset; readonly destination: string },
): Checked<string> {
  // Without a provider nothing is simulated, so only real destinations are accepted.
  const mode = settlement?.mode ?? "LIVE";
  const network = connectedAsset(settlement, asset)?.chain.addressNetwork;
  return checkDestination({ asset, destination, mode, network });
}
