import { offer } from "./fixture.ts";
import { laterPrice, unitCents } from "./model/state.ts";

const label = "model";
const hardware = { name: label, cpu: label, memoryGb: 1, storage: label, bandwidth: label };
const price = {
  ...{ weeklyUsd: 1, monthlyUsd: unitCents / 100 },
  scheduledPrices: [
    {
      from: new Date(laterPrice.from).toISOString(),
      ...{ weeklyUsd: 1, monthlyUsd: laterPrice.unitCents / 100 },
    },
  ],
};

/** The catalogue with its only offer, on sale or hidden. */
export function catalogueWith({ hidden }: { readonly hidden: boolean }) {
  const offers = [{ regionId: offer.regionId, ...price, ...(hidden && { hidden }) }];
  return {
    regions: [{ id: offer.regionId, name: label, country: label }],
    operatingSystems: [{ id: offer.osId, name: label, family: label }],
    configurations: [{ id: offer.configId, ...hardware, offers }],
    discounts: [
      { minQuantity: 3, percent: 5 },
      { minQuantity: 5, percent: 12.5 },
    ],
  };
}
