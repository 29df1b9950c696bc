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
import { refusalOf } from "#data/api-errors.ts";
import { classNames } from "./class-names.ts";
import { ErrorCode, ErrorNotice } from "./error-notice.tsx";

interface FormState {
  readonly error: unknown;
  /** The names of the fields that show their message themselves. */
  readonly setNames: Dispatch<SetStateAction<readonly string[]>>;
}

const FormContext = createContext<FormState>({ error: null, setNames: () => undefined });

/** What the service says of the field of that name. */
export function useFormField(name: string): string | undefined {
  const { error, setNames } = useContext(FormContext);
  useEffect(() => {
    setNames((known) => [...known, name]);
    return () => setNames((known) => known.filter((other) => other !== name));
  }, [name, setNames]);
  return refusalOf(error)?.fields.find(({ field }) => field === name)?.message;
}

/**
 * A form whose refusals stand where they belong: at the field that the service names, the rest above.
 * The first field at fault gets the focus, so that nobody has to look for it.
 */
export function Form({
  label,
  error,
  isCompact = false,
  onSubmit,
  children,
  className,
}: {
  readonly label: string;
  /** In a table: what its fields say themselves is not said above them again, but for the code. */
  readonly isCompact?: boolean;
  readonly error: unknown;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
  readonly className?: string;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [names, setNames] = useState<readonly string[]>([]);
  const refusal = refusalOf(error);
  const state = useMemo<FormState>(() => ({ error, setNames }), [error]);
  useEffect(() => {
    if ((refusalOf(error)?.fields.length ?? 0) === 0) return;
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
