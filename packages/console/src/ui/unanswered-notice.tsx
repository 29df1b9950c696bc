import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";
import { Time } from "./time.tsx";

/** Offers a safe retry for a request whose answer was lost. */
export function UnansweredNotice({
  what,
  at,
  isCharge = false,
  isPending,
  onRetry,
  onDiscard,
}: {
  /** "An order of 2 × Metal S" */
  readonly what: string;
  readonly at: number;
  /** Whether the request takes money from the balance. */
  readonly isCharge?: boolean;
  readonly isPending: boolean;
  readonly onRetry: () => void;
  readonly onDiscard: () => void;
}) {
  return (
    <Notice
      tone="warn"
      isAnnounced
      title="The connection was lost"
      actions={
        <>
          <Button size="small" variant="primary" isPending={isPending} onClick={onRetry}>
            Retry
          </Button>
          <Button size="small" disabled={isPending} onClick={onDiscard}>
            Discard
          </Button>
        </>
      }
    >
      <p>
        {what} was sent on <Time at={new Date(at).toISOString()} />, but no answer arrived. Retrying
        is safe: {isCharge ? "you will not be charged twice." : "the request runs only once."}
      </p>
    </Notice>
  );
}
