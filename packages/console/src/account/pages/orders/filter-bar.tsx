import type { ReadCatalogueAnswer } from "@ironlease/client";
import { SelectField, TextField, type Option } from "#ui/field.tsx";
import { coresOf, isPartialAmount, type CatalogueFilter } from "./catalogue-filter.ts";
import { termWords, type Term } from "./order-choice.ts";

/** Filters whose options come from the catalogue. */
export function FilterBar({
  catalogue: { configurations },
  filter,
  term,
  onChange,
}: {
  readonly catalogue: ReadCatalogueAnswer;
  readonly filter: CatalogueFilter;
  readonly term: Term;
  readonly onChange: (change: Partial<CatalogueFilter>) => void;
}) {
  return (
    <fieldset className="grid grid-cols-2 items-end gap-3 sm:grid-cols-3">
      <legend className="sr-only">Filter configurations</legend>
      <SelectField
        name="filter-cores"
        label="Minimum cores"
        value={filter.cores}
        options={optionsOf(configurations.map(coresOf), "cores")}
        onChange={(cores) => onChange({ cores })}
      />
      <SelectField
        name="filter-memory"
        label="Minimum memory"
        value={filter.memoryGb}
        options={optionsOf(
          configurations.map(({ memoryGb }) => memoryGb),
          "GB",
        )}
        onChange={(memoryGb) => onChange({ memoryGb })}
      />
      <TextField
        name="filter-price"
        label={`Maximum price per ${termWords[term].per}`}
        value={filter.priceUsd}
        placeholder="Any"
        prefix="$"
        inputMode="decimal"
        onChange={(priceUsd) => {
          if (isPartialAmount(priceUsd)) onChange({ priceUsd });
        }}
      />
    </fieldset>
  );
}

const any: Option = { value: "", label: "Any" };

function optionsOf(values: readonly (number | undefined)[], unit: string): readonly Option[] {
  const known = new Set(values.filter((value) => value !== undefined));
  return [
    any,
    ...Array.from(known)
      .toSorted((a, b) => a - b)
      .map((value) => ({ value: String(value), label: `${value} ${unit}` })),
  ];
}
