import { useQuery } from "@tanstack/react-query";
import { catalogueNames } from "#data/catalogue-names.ts";
import { SelectField } from "#ui/field.tsx";
import { FilterChips } from "#ui/filter-chips.tsx";
import { oneOf, useFilters } from "#ui/filters.ts";
import { SearchForm } from "#ui/search-form.tsx";
import { reads } from "#account/data/reads.ts";
import { serverStateLabels } from "#account/shared/server-states.tsx";
import { countBy, countsOf, currentStates, pageRequest, sorts } from "./server-page-request.ts";

const sortLabels = {
  createdAt: "Newest first",
  paidThrough: "Renewal due first",
  name: "Name",
} as const;

/** Undefined until they are known. Short lists are counted here, so that only accounts with many servers send a request for the counts. */
function useServerCounts() {
  const { get } = useFilters();
  const isFiltered = ["query", "state", "region", "after"].some((name) => get(name) !== "");
  const page = useQuery({ ...reads.serverPage(pageRequest(get)), enabled: !isFiltered });
  const isCurrent = !isFiltered && !page.isPlaceholderData;
  const own = isCurrent ? countsOf(page.data?.servers) : undefined;
  const isLong = isCurrent && page.data !== undefined && own === undefined;
  const { data } = useQuery({ ...reads.serverCounts, enabled: isFiltered || isLong });
  return own ?? data?.serverCounts;
}

/** Search, chips and order of the list. All of them are in the URL. */
export function ServersFilters() {
  const filters = useFilters();
  const { data: catalogue } = useQuery(reads.catalogue);
  const names = catalogueNames(catalogue);
  const counts = useServerCounts();
  const [byState, byRegion] = [countBy(counts ?? [], "state"), countBy(counts ?? [], "region")];
  const total = counts?.reduce((sum, { servers }) => sum + servers, 0);
  const isPast = filters.get("state") === "TERMINATED";
  return (
    <div className="flex flex-col gap-4 p-4 sm:px-6">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-4">
        <div className="max-w-xl grow">
          <SearchForm
            label="Search"
            text={filters.get("query")}
            onSearch={(query) => filters.set({ query })}
          />
        </div>
        {!isPast && (
          <SelectField
            name="sort"
            label="Sort by"
            value={oneOf(sorts, filters.get("sort")) ?? "createdAt"}
            options={sorts.map((value) => ({ value, label: sortLabels[value] }))}
            onChange={(sort) => filters.set({ sort: sort === "createdAt" ? "" : sort })}
          />
        )}
      </div>
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <FilterChips
          label="State"
          name="state"
          choices={[
            { value: "", label: "All", count: total },
            ...currentStates
              .filter((state) => byState.has(state) || filters.get("state") === state)
              .map((state) => ({
                value: state,
                label: serverStateLabels[state].word,
                count: byState.get(state) ?? 0,
              })),
            { value: "TERMINATED", label: serverStateLabels.TERMINATED.word },
          ]}
        />
        {!isPast && (byRegion.size > 1 || filters.get("region") !== "") && (
          <FilterChips
            label="Region"
            name="region"
            choices={[...byRegion]
              .map(([value, count]) => ({ value, label: names.region(value), count }))
              .toSorted((a, b) => a.label.localeCompare(b.label))}
          />
        )}
      </div>
    </div>
  );
}
