import type { ReadCatalogueAnswer } from "@ironlease/client";

/** Names for the catalogue's identifiers; the identifier itself while the catalogue is not there. */
export interface CatalogueNames {
  configuration(id: string): string;
  region(id: string): string;
  operatingSystem(id: string): string;
}

export function catalogueNames(catalogue: ReadCatalogueAnswer | undefined): CatalogueNames {
  const nameIn = (list: readonly { id: string; name: string }[] | undefined, id: string) =>
    list?.find((item) => item.id === id)?.name ?? id;
  return {
    configuration: (id) => nameIn(catalogue?.configurations, id),
    region: (id) => nameIn(catalogue?.regions, id),
    operatingSystem: (id) => nameIn(catalogue?.operatingSystems, id),
  };
}
