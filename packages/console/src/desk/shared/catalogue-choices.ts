import { useQuery } from "@tanstack/react-query";
import type { Option } from "#ui/field.tsx";
import { reads } from "#desk/data/reads.ts";

/** Regions and configurations as options, optionally with a first option for all. */
export function useCatalogueChoices(all?: {
  readonly region: string;
  readonly configuration: string;
}) {
  const { data } = useQuery(reads.catalogue);
  const choices = (
    list: readonly { id: string; name: string }[] | undefined,
    allLabel?: string,
  ) => [
    ...(allLabel === undefined ? [] : [{ value: "", label: allLabel }]),
    ...(list ?? []).map(({ id, name }): Option => ({ value: id, label: `${name} (${id})` })),
  ];
  return {
    regions: choices(data?.regions, all?.region),
    configurations: choices(data?.configurations, all?.configuration),
  };
}
