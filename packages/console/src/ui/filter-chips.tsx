import { classNames } from "./class-names.ts";
import { useFilters } from "./filters.ts";
import { Check } from "./icons.ts";

/** A filter with few values as a row of chips. The chosen value is a search parameter of the URL. */
export function FilterChips({
  label,
  name,
  choices,
}: {
  /** What the chips filter by: "State". */
  readonly label: string;
  /** The search parameter. */
  readonly name: string;
  readonly choices: readonly {
    /** The empty value, such as "All", removes the parameter. */
    readonly value: string;
    readonly label: string;
    readonly count?: number | undefined;
  }[];
}) {
  const filters = useFilters();
  const chosen = filters.get(name);
  return (
    <div role="group" aria-label={label} className="flex flex-wrap gap-2">
      {choices.map(({ value, label: text, count }) => {
        const isChosen = value === chosen;
        return (
          <button
            key={value}
            type="button"
            aria-pressed={isChosen}
            // A second press clears the filter.
            onClick={() => filters.set({ [name]: isChosen ? "" : value })}
            className={classNames(
              "inline-flex min-h-9 items-center gap-1.5 rounded-full border px-3 text-sm font-medium whitespace-nowrap transition-colors duration-100",
              isChosen
                ? "border-chosen bg-chosen-soft text-text"
                : "border-line bg-surface text-quiet hover:border-control hover:text-text",
            )}
          >
            {isChosen && <Check aria-hidden className="size-3.5" />}
            {text}
            {count !== undefined && <span className="figures text-xs font-normal">{count}</span>}
          </button>
        );
      })}
    </div>
  );
}
