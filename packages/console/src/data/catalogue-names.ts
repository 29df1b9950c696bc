interface Named {
  readonly id: string;
  readonly name: string;
}

/** Fits both the customer's and the operator's catalogue. */
interface NamedCatalogue {
  readonly configurations: readonly Named[];
  readonly regions: readonly Named[];
  readonly operatingSystems: readonly Named[];
}

/** Display names of catalogue ids. Falls back to the id while the catalogue loads. */
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
