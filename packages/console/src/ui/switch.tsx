import { Switch as BaseSwitch } from "@base-ui/react/switch";
import { useId, type ReactNode } from "react";

/** A switch that applies at once. Its label is its accessible name. */
export function Switch({
  label,
  hint,
  isOn,
  isDisabled = false,
  onChange,
}: {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="flex min-w-0 flex-col">
        <span id={`${id}-label`} className="text-sm font-medium">
          {label}
        </span>
        {hint !== undefined && (
          <span id={`${id}-hint`} className="max-w-prose text-sm text-quiet">
            {hint}
          </span>
        )}
      </div>
      <BaseSwitch.Root
        checked={isOn}
        disabled={isDisabled}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onCheckedChange={onChange}
        className="flex h-6 w-10 shrink-0 items-center rounded-full border border-control bg-sunken px-0.5 transition-colors duration-100 data-checked:border-chosen data-checked:bg-chosen data-disabled:cursor-not-allowed data-disabled:opacity-60"
      >
        <BaseSwitch.Thumb className="size-4.5 rounded-full bg-control transition-transform duration-100 data-checked:translate-x-4 data-checked:bg-on-chosen" />
      </BaseSwitch.Root>
    </div>
  );
}
