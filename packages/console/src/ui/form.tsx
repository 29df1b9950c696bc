import {
  createContext,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from "react";
import { refusalOf } from "../data/api-errors.ts";
import { classNames } from "./class-names.ts";
import { ErrorNotice } from "./error-notice.tsx";

interface FormState {
  /** What the service says of the field of that name. */
  readonly messageOf: (name: string) => string | undefined;
  /** Fields that show their message themselves. */
  readonly register: (name: string) => () => void;
}

const FormContext = createContext<FormState>({
  messageOf: () => undefined,
  register: () => () => undefined,
});

export function useFormField(name: string): string | undefined {
  const { messageOf, register } = useContext(FormContext);
  useEffect(() => register(name), [name, register]);
  return messageOf(name);
}

/**
 * A form whose refusals stand where they belong: at the field that the service names, the rest above.
 * The first field at fault gets the focus, so that nobody has to look for it.
 */
export function Form({
  label,
  error,
  onSubmit,
  children,
  className,
}: {
  readonly label: string;
  readonly error: unknown;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
  readonly className?: string;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [names, setNames] = useState<readonly string[]>([]);
  const fields = refusalOf(error)?.fields;
  const state = useMemo<FormState>(
    () => ({
      messageOf: (name) => fields?.find(({ field }) => field === name)?.message,
      register: (name) => {
        setNames((known) => [...known, name]);
        return () => setNames((known) => known.filter((other) => other !== name));
      },
    }),
    [fields],
  );
  useEffect(() => {
    if (fields === undefined || fields.length === 0) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [fields]);
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
      {error !== null && error !== undefined && <ErrorNotice error={error} shownFields={names} />}
      <FormContext value={state}>{children}</FormContext>
    </form>
  );
}
