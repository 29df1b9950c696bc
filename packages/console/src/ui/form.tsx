import type { ApiError } from "@ironlease/client";
import {
  createContext,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
} from "react";
import { apiErrorOf } from "#data/api-errors.ts";
import { classNames } from "./class-names.ts";
import { ErrorCode, ErrorNotice } from "./error-notice.tsx";

interface FormState {
  readonly error: unknown;
  /** Registers the fields that show their own message. */
  readonly setNames: Dispatch<SetStateAction<readonly string[]>>;
}

const FormContext = createContext<FormState>({ error: null, setNames: () => undefined });

/** The API's message for a field. */
export function useFormField(name: string): string | undefined {
  const { error, setNames } = useContext(FormContext);
  useEffect(() => {
    setNames((known) => [...known, name]);
    return () => setNames((known) => known.filter((other) => other !== name));
  }, [name, setNames]);
  return apiErrorOf(error)?.fields.find(({ field }) => field === name)?.message;
}

/** Shows validation errors at their fields and all others above the form. Focuses the first invalid field. */
export function Form({
  label,
  error,
  isCompact = false,
  onSubmit,
  children,
  className,
}: {
  readonly label: string;
  /** For forms in tables: if every error is shown at its field, only the code appears above. */
  readonly isCompact?: boolean;
  readonly error: unknown;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
  readonly className?: string;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [names, setNames] = useState<readonly string[]>([]);
  const refusal = apiErrorOf(error);
  const state = useMemo<FormState>(() => ({ error, setNames }), [error]);
  useEffect(() => {
    if ((apiErrorOf(error)?.fields.length ?? 0) === 0) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [error]);
  return (
    <form
      ref={form}
      aria-label={label}
      noValidate
      className={classNames("flex flex-col gap-5", className)}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {error !== null &&
        error !== undefined &&
        (isCompact && refusal !== undefined && isAllShown(refusal, names) ? (
          <ErrorCode error={refusal} />
        ) : (
          <ErrorNotice error={error} shownFields={names} />
        ))}
      <FormContext value={state}>{children}</FormContext>
    </form>
  );
}

function isAllShown({ fields }: ApiError<string>, names: readonly string[]): boolean {
  return fields.length > 0 && fields.every(({ field }) => names.includes(field));
}
