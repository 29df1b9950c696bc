interface Named {
  readonly id: string;
  readonly name: string;
}

/** A catalogue as customers read it, or as operators edit it: both have names. */
interface NamedCatalogue {
  readonly configurations: readonly Named[];
  readonly regions: readonly Named[];
  readonly operatingSystems: readonly Named[];
}

/** Names for the catalogue's identifiers; the identifier itself while the catalogue is not there. */
export interface CatalogueNames {
  configuration(id: string): string;
  region(id: string): string;
  operatingSystem(id: string): string;
}

export function catalogueNames(catalogue: NamedCatalogue | undefined): CatalogueNames {
  const nameIn = (list: readonly Named[] | undefined, id: string) =>
    list?.find((item) => item.id === id)?.name ?? id;
  return {
    configuration: (id) => nameIn(catalogue?.configurations, id),
    region: (id) => nameIn(catalogue?.regions, id),
    operatingSystem: (id) => nameIn(catalogue?.operatingSystems, id),
  };
}
