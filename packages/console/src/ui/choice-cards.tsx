import { useId, type ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { useFormField } from "./form.tsx";

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  readonly detail?: ReactNode;
  readonly isDisabled?: boolean;
}

const columnsOf = {
  1: "",
  2: "sm:grid-cols-2",
  /** Two columns on phones, too. */
  pair: "grid-cols-2",
  short: "grid-cols-[repeat(auto-fit,minmax(min(100%,8.25rem),1fr))]",
  many: "grid-cols-[repeat(auto-fill,minmax(min(100%,10rem),1fr))]",
} as const;

/** Radio buttons as cards. */
export function ChoiceCards<Value extends string>({
  name,
  label,
  value,
  choices,
  columns = 1,
  isLabelHidden = false,
  onChange,
}: {
  readonly name: string;
  readonly label: string;
  readonly value: Value | undefined;
  readonly choices: readonly Choice<Value>[];
  readonly columns?: keyof typeof columnsOf;
  /** When the heading right above has the same text. */
  readonly isLabelHidden?: boolean;
  readonly onChange: (value: Value) => void;
}) {
  const id = useId();
  const message = useFormField(name);
  return (
    <fieldset
      className="min-w-0"
      aria-invalid={message !== undefined || undefined}
      aria-describedby={message === undefined ? undefined : `${id}-message`}
      tabIndex={message === undefined ? undefined : -1}
    >
      <legend className={isLabelHidden ? "sr-only" : "mb-1.5 text-sm font-medium"}>{label}</legend>
      <div className={classNames("grid gap-2", columnsOf[columns])}>
        {choices.map((choice) => (
          <Card
            key={choice.value}
            name={`${id}-${name}`}
            choice={choice}
            isChosen={choice.value === value}
            onChoose={() => onChange(choice.value)}
          />
        ))}
      </div>
      {message !== undefined && (
        <p id={`${id}-message`} className="mt-1.5 text-sm font-medium text-bad">
          {message}
        </p>
      )}
    </fieldset>
  );
}

function Card<Value extends string>({
  name,
  choice,
  isChosen,
  onChoose,
}: {
  readonly name: string;
  readonly choice: Choice<Value>;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  const { label, detail, isDisabled = false } = choice;
  return (
    <label
      className={classNames(
        "flex min-h-11 items-start gap-3 rounded-md border p-3 text-sm transition-colors duration-100 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus",
        isChosen ? "border-chosen bg-chosen-soft ring-1 ring-chosen" : "border-line bg-surface",
        !isChosen && !isDisabled && "hover:border-control",
        isDisabled && "bg-raised text-quiet",
      )}
    >
      <input
        type="radio"
        name={name}
        value={choice.value}
        checked={isChosen}
        disabled={isDisabled}
        onChange={onChoose}
        className="mt-0.75 size-4 shrink-0 accent-chosen outline-none"
      />
      <span className="flex min-w-0 flex-col">
        <span className="font-medium">{label}</span>
        {detail !== undefined && <span className="text-quiet">{detail}</span>}
      </span>
    </label>
  );
}
