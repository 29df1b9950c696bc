import { useQuery } from "@tanstack/react-query";
import type { Option } from "#ui/field.tsx";
import { reads } from "#desk/data/reads.ts";

/** The catalogue's regions and configurations as choices; with a first that stands for any of them. */
export function useCatalogueChoices(any?: {
  readonly region: string;
  readonly configuration: string;
}) {
  const { data } = useQuery(reads.catalogue);
  const choices = (list: readonly { id: string; name: string }[] | undefined, all?: string) => [
    ...(all === undefined ? [] : [{ value: "", label: all }]),
    ...(list ?? []).map(({ id, name }): Option => ({ value: id, label: `${name} (${id})` })),
  ];
  return {
    regions: choices(data?.regions, any?.region),
    configurations: choices(data?.configurations, any?.configuration),
  };
}
