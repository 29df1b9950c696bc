import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Form } from "./form.tsx";
import { UnansweredNotice } from "./unanswered-notice.tsx";

/** A write that must run once, as `useIdempotentChange` returns it. */
interface Change<Request> {
  readonly mutate: (request: Request) => void;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly unanswered: { readonly request: Request; readonly at: number } | undefined;
  readonly discard: () => void;
}

/** A form whose request runs once. If its answer was lost, it offers a safe retry before anything else. */
export function IdempotentForm<Request>({
  label,
  what,
  submitLabel,
  change,
  request,
  isComplete,
  children,
}: {
  readonly label: string;
  /** Names the request: "Your message". */
  readonly what: string;
  readonly submitLabel: string;
  readonly change: Change<Request>;
  readonly request: Request;
  readonly isComplete: boolean;
  readonly children: ReactNode;
}) {
  const { unanswered, isPending } = change;
  return (
    <Form
      label={label}
      error={unanswered === undefined ? change.error : null}
      onSubmit={() => change.mutate(request)}
    >
      {unanswered !== undefined && (
        <UnansweredNotice
          what={what}
          at={unanswered.at}
          isPending={isPending}
          onRetry={() => change.mutate(unanswered.request)}
          onDiscard={change.discard}
        />
      )}
      {children}
      <div>
        <Button
          type="submit"
          variant="primary"
          isPending={isPending}
          disabled={!isComplete || unanswered !== undefined}
        >
          {submitLabel}
        </Button>
      </div>
    </Form>
  );
}
