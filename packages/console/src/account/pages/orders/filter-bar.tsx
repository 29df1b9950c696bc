import type { ReadCatalogueAnswer } from "@ironlease/client";
import { SelectField, TextField, type Option } from "#ui/field.tsx";
import { coresOf, type CatalogueFilter } from "./catalogue-filter.ts";
import { termWords, type Term } from "./order-choice.ts";

/** What to look for. The steps are those that the catalogue itself has. */
export function FilterBar({
  catalogue,
  filter,
  term,
  onChange,
}: {
  readonly catalogue: ReadCatalogueAnswer;
  readonly filter: CatalogueFilter;
  readonly term: Term;
  readonly onChange: (filter: CatalogueFilter) => void;
}) {
  const { configurations, regions } = catalogue;
  return (
    <fieldset className="grid items-end gap-4 sm:grid-cols-2 2xl:grid-cols-4">
      <legend className="sr-only">Filter configurations</legend>
      <SelectField
        name="filter-region"
        label="Region"
        value={filter.region}
        options={[anything, ...regions.map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={(region) => onChange({ ...filter, region })}
      />
      <SelectField
        name="filter-cores"
        label="Cores, at least"
        value={filter.cores}
        options={steps(configurations.map(coresOf), "cores")}
        onChange={(cores) => onChange({ ...filter, cores })}
      />
      <SelectField
        name="filter-memory"
        label="Memory, at least"
        value={filter.memoryGb}
        options={steps(
          configurations.map(({ memoryGb }) => memoryGb),
          "GB",
        )}
        onChange={(memoryGb) => onChange({ ...filter, memoryGb })}
      />
      <TextField
        name="filter-price"
        label={`Price a ${termWords[term].per}, at most`}
        value={filter.priceUsd}
        placeholder="Any"
        prefix="$"
        inputMode="decimal"
        onChange={(priceUsd) => {
          if (/^\d*\.?\d{0,2}$/.test(priceUsd)) onChange({ ...filter, priceUsd });
        }}
      />
    </fieldset>
  );
}

const anything: Option = { value: "", label: "Any" };

function steps(values: readonly (number | undefined)[], unit: string): readonly Option[] {
  const known = new Set(values.filter((value) => value !== undefined));
  return [
    anything,
    ...Array.from(known)
      .toSorted((a, b) => a - b)
      .map((value) => ({ value: String(value), label: `${value} ${unit}` })),
  ];
}
