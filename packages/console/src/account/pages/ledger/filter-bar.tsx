import { SelectField, TextField } from "#ui/field.tsx";
import { useFilters } from "#ui/filters.ts";
import { ledgerTypes, type LedgerType } from "#account/shared/ledger-types.ts";
import { periodChoices, type PeriodChoice } from "#account/shared/period.ts";
import { typeOrder, type LedgerFilter } from "./use-ledger-filter.ts";

export function FilterBar({ filter: { choice, days, type } }: { readonly filter: LedgerFilter }) {
  const { set } = useFilters();
  return (
    <div className="grid grow grid-cols-2 gap-4 sm:flex sm:*:w-44">
      <SelectField<PeriodChoice>
        name="period"
        label="Period"
        value={choice}
        options={(Object.entries(periodChoices) as [PeriodChoice, string][]).map(
          ([value, label]) => ({ value, label }),
        )}
        onChange={(period) => set({ period, first: "", last: "" })}
      />
      <SelectField<LedgerType | "">
        name="type"
        label="Type"
        value={type ?? ""}
        options={[
          { value: "", label: "All types" },
          ...typeOrder.map((value) => ({ value, label: ledgerTypes[value] })),
        ]}
        onChange={(next) => set({ type: next })}
      />
      {choice === "custom" && (
        <>
          <TextField
            name="from"
            label="First day (UTC)"
            type="date"
            value={days.first}
            onChange={(first) => set({ first })}
          />
          <TextField
            name="to"
            label="Last day (UTC)"
            type="date"
            problem={
              days.last !== "" && days.first > days.last
                ? "must not be before the first day"
                : undefined
            }
            value={days.last}
            onChange={(last) => set({ last })}
          />
        </>
      )}
    </div>
  );
}
