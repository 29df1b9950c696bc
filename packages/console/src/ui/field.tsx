import { ChevronDown, Eye, EyeOff } from "./icons.ts";
import { useId, useState, type ComponentProps, type ReactNode } from "react";
import { IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { useFormField } from "./form.tsx";
import { sentenceOf } from "./sentence-case.ts";

interface FieldProps {
  /** The API's field name, so that validation errors find their field. */
  readonly name: string;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** A problem found in the page. The API's message takes precedence. */
  readonly problem?: string | undefined;
}

const control =
  "w-full min-w-0 rounded-md border border-control bg-surface px-3 text-base text-text placeholder:text-quiet aria-invalid:border-bad disabled:bg-raised disabled:text-quiet sm:text-sm";

/** Links label, control, hint and error message for screen readers. */
function useField({ name, label, hint, problem }: FieldProps) {
  const id = useId();
  const message = useFormField(name) ?? problem;
  const describedBy = classNames(
    hint !== undefined && `${id}-hint`,
    message !== undefined && `${id}-message`,
  );
  const wrap = (children: ReactNode) => (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-quiet">
          {hint}
        </p>
      )}
      {message !== undefined && (
        <p id={`${id}-message`} className="text-sm font-medium text-bad">
          {sentenceOf(message)}
        </p>
      )}
    </div>
  );
  const attributes = {
    id,
    name,
    "aria-invalid": message !== undefined || undefined,
    "aria-describedby": describedBy === "" ? undefined : describedBy,
  };
  return { attributes, wrap };
}

type TextFieldProps = FieldProps &
  Omit<ComponentProps<"input">, "name" | "onChange" | "value"> & {
    readonly value: string;
    readonly onChange: (value: string) => void;
    readonly isMono?: boolean;
    /** Shown inside the control, such as a currency sign. */
    readonly prefix?: string;
  };

export function TextField({ name, label, hint, problem, ...rest }: TextFieldProps) {
  const { attributes, wrap } = useField({ name, label, hint, problem });
  const { onChange, isMono = false, prefix, className, ...input } = rest;
  return wrap(
    <div className="relative">
      {prefix !== undefined && (
        <span
          aria-hidden
          className="absolute inset-y-0 left-3 flex items-center text-sm text-quiet"
        >
          {prefix}
        </span>
      )}
      <input
        type="text"
        {...input}
        {...attributes}
        className={classNames(
          control,
          "h-11",
          isMono && "font-mono",
          prefix !== undefined && "pl-7",
          className,
        )}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>,
  );
}

export function PasswordField({ name, label, hint, problem, ...rest }: TextFieldProps) {
  const { attributes, wrap } = useField({ name, label, hint, problem });
  const { onChange, className: _className, isMono: _isMono, prefix: _prefix, ...input } = rest;
  const [isShown, setIsShown] = useState(false);
  return wrap(
    <div className="relative">
      <input
        {...input}
        {...attributes}
        type={isShown ? "text" : "password"}
        className={classNames(control, "h-11 pr-12")}
        onChange={(event) => onChange(event.target.value)}
      />
      <IconButton
        className="absolute top-1 right-1"
        label={isShown ? "Hide password" : "Show password"}
        aria-pressed={isShown}
        icon={
          isShown ? (
            <EyeOff aria-hidden className="size-4" />
          ) : (
            <Eye aria-hidden className="size-4" />
          )
        }
        onClick={() => setIsShown(!isShown)}
      />
    </div>,
  );
}

export function TextArea({
  name,
  label,
  hint,
  problem,
  ...rest
}: FieldProps &
  Omit<ComponentProps<"textarea">, "name" | "onChange" | "value"> & {
    readonly value: string;
    readonly onChange: (value: string) => void;
    /** For sentences, which people write for people. */
    readonly isProse?: boolean;
  }) {
  const { attributes, wrap } = useField({ name, label, hint, problem });
  const { onChange, isProse = false, ...input } = rest;
  return wrap(
    <textarea
      rows={4}
      spellCheck={isProse}
      {...input}
      {...attributes}
      className={classNames(control, "py-2", !isProse && "font-mono")}
      onChange={(event) => onChange(event.target.value)}
    />,
  );
}

export interface Option<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
}

export function SelectField<Value extends string>({
  name,
  label,
  hint,
  problem,
  value,
  options,
  onChange,
  disabled,
}: FieldProps & {
  readonly value: Value;
  readonly options: readonly Option<Value>[];
  readonly onChange: (value: Value) => void;
  readonly disabled?: boolean;
}) {
  const { attributes, wrap } = useField({ name, label, hint, problem });
  return wrap(
    <div className="relative">
      <select
        {...attributes}
        value={value}
        disabled={disabled}
        className={classNames(control, "h-11 appearance-none pr-9")}
        onChange={(event) => onChange(event.target.value as Value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-3.5 right-3 size-4 text-quiet"
      />
    </div>,
  );
}

export function CheckBox({
  label,
  isChecked,
  isPartial = false,
  onChange,
}: {
  readonly label: ReactNode;
  readonly isChecked: boolean;
  /** Some of what the box stands for is checked, but not all. */
  readonly isPartial?: boolean;
  readonly onChange: (isChecked: boolean) => void;
}) {
  return (
    <label className="flex items-start gap-3 text-sm">
      <input
        // There is no attribute for it.
        ref={(box) => {
          if (box !== null) box.indeterminate = isPartial;
        }}
        type="checkbox"
        checked={isChecked}
        className="mt-0.5 size-4.5 shrink-0 accent-chosen"
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
