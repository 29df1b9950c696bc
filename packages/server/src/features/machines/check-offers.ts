import type { CatalogueDocument, FieldError } from "@ironlease/contract";
import type { NewMachine } from "#kernel/machine-intake.ts";

/**
 * Finds machines that could never be sold, by position: their configuration or region is not in the catalogue, or the
 * region does not offer the configuration.
 */
export function checkOffers(
  { configurations, regions }: CatalogueDocument,
  machines: readonly NewMachine[],
): readonly FieldError[] {
  const regionIds = new Set(regions.map(({ id }) => id));
  const byId = new Map(configurations.map((configuration) => [configuration.id, configuration]));
  const faultsOf = ({ configId, regionId }: NewMachine): readonly FieldError[] => {
    const configuration = byId.get(configId);
    const isRegion = regionIds.has(regionId);
    if (configuration === undefined || !isRegion) {
      return [
        ...(configuration === undefined ? [unknown("configId")] : []),
        ...(isRegion ? [] : [unknown("regionId")]),
      ];
    }
    const isOffered = configuration.offers.some((offer) => offer.regionId === regionId);
    return isOffered ? [] : [notOffered];
  };
  // Each offer is checked once: thousands of machines share a few offers, and a configuration may have hundreds.
  const judged = new Map<string, readonly FieldError[]>();
  return machines.flatMap((machine, index) => {
    const offer = JSON.stringify([machine.configId, machine.regionId]);
    const faults = judged.get(offer) ?? faultsOf(machine);
    judged.set(offer, faults);
    return faults.map(({ field, message }) => ({ field: `machines.${index}.${field}`, message }));
  });
}

const unknown = (field: string): FieldError => ({ field, message: "is not in the catalogue" });

const notOffered: FieldError = {
  field: "regionId",
  message: "does not offer this configuration; add the offer to the catalogue first",
};
