import { SelectField } from "#ui/field.tsx";
import { useNow } from "#ui/time.tsx";
import { monthsUntil, monthText } from "./months.ts";

/** Older months are in the API. */
const shownMonths = 36;

export function MonthField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (month: string) => void;
}) {
  const months = monthsUntil(new Date(useNow(60_000)), shownMonths);
  return (
    <div className="w-full sm:max-w-56">
      <SelectField
        name="month"
        label="Month"
        value={value}
        options={months.map((month) => ({ value: month, label: monthText(month) }))}
        onChange={onChange}
      />
    </div>
  );
}
