import { useQuery } from "@tanstack/react-query";
import { oneOf, optional, type useFilters } from "#ui/filters.ts";
import { reads } from "#desk/data/reads.ts";
import { machineStates } from "#desk/shared/machine-state.tsx";

/** The page of machines that the filters in the URL select. */
export function useMachines({ get }: Pick<ReturnType<typeof useFilters>, "get">) {
  return useQuery(
    reads.machines({
      state: oneOf(machineStates, get("state")),
      configId: optional(get("configId")),
      regionId: optional(get("regionId")),
      query: optional(get("query")),
      after: optional(get("after")),
    }),
  );
}
