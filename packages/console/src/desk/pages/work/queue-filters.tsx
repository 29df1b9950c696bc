import type { ListWorkRequest } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { Button } from "#ui/button.tsx";
import { SelectField } from "#ui/field.tsx";
import { FilterChips } from "#ui/filter-chips.tsx";
import { oneOf, optional, useFilters } from "#ui/filters.ts";
import { X } from "#ui/icons.ts";
import { reads } from "#desk/data/reads.ts";
import { useCatalogueChoices } from "#desk/shared/catalogue-choices.ts";
import { kindOrder, kinds, stateOrder, stateWord } from "#desk/shared/work-kinds.tsx";

const allStates = "ALL";
/** In hours, besides what is overdue. */
const ages = ["4", "24", "72"] as const;

type Filters = ReturnType<typeof useFilters>;

const stateOf = (filters: Filters) => filters.get("state") || "OPEN";

/** The request for a page of the queue. The URL has the filters. */
export function requestOf(filters: Filters, username: string): ListWorkRequest {
  const age = filters.get("age");
  const hours = oneOf(ages, age);
  return {
    kind: oneOf(kindOrder, filters.get("kind")),
    state: oneOf(stateOrder, stateOf(filters)),
    regionId: optional(filters.get("region")),
    accountId: optional(filters.get("account")),
    ...(filters.get("show") === "mine" && { operator: username }),
    ...(hours !== undefined && { minimumAgeHours: Number(hours) }),
    ...(age === "overdue" && { overdue: "true" }),
    after: optional(filters.get("after")),
  };
}

export function QueueFilters() {
  const filters = useFilters();
  const { regions } = useCatalogueChoices({ region: "All regions", configuration: "" });
  const account = filters.get("account");
  return (
    <div className="flex flex-col gap-4 px-5 py-4 sm:px-6">
      <FilterChips
        label="Kind"
        name="kind"
        choices={[
          { value: "", label: "All kinds" },
          ...kindOrder.map((value) => ({ value, label: kinds[value].name })),
        ]}
      />
      <div className="grid gap-4 sm:max-w-4xl sm:grid-cols-2 lg:grid-cols-4">
        <SelectField
          name="state"
          label="State"
          value={stateOf(filters)}
          onChange={(state) => filters.set({ state })}
          options={[
            ...stateOrder.map((value) => ({ value: value as string, label: stateWord(value) })),
            { value: allStates, label: "All states" },
          ]}
        />
        <SelectField
          name="show"
          label="Operator"
          value={filters.get("show")}
          onChange={(show) => filters.set({ show, ...(show === "mine" && { state: allStates }) })}
          options={[
            { value: "", label: "Everyone" },
            { value: "mine", label: "Mine" },
          ]}
        />
        <SelectField
          name="region"
          label="Region"
          value={filters.get("region")}
          onChange={(region) => filters.set({ region })}
          options={regions}
        />
        <SelectField
          name="age"
          label="Age"
          value={filters.get("age")}
          onChange={(age) => filters.set({ age })}
          options={[
            { value: "", label: "Any age" },
            { value: "overdue", label: "Overdue" },
            ...ages.map((hours) => ({ value: hours as string, label: `${hours} hours or more` })),
          ]}
        />
      </div>
      {account !== "" && (
        <CustomerFilter id={account} onClear={() => filters.set({ account: "" })} />
      )}
    </div>
  );
}

/** Set by links from other pages. */
function CustomerFilter({ id, onClear }: { readonly id: string; readonly onClear: () => void }) {
  const { data } = useQuery(reads.account(id));
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm">
      <span className="wrap-anywhere">Only work for {data?.username ?? id}</span>
      <Button
        size="small"
        variant="quiet"
        icon={<X aria-hidden className="size-4" />}
        onClick={onClear}
      >
        All customers
      </Button>
    </p>
  );
}
