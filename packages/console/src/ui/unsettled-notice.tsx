import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";
import { Time } from "./time.tsx";

/** Something was sent and its answer never came: how to find out, without ever doing it twice. */
export function UnsettledNotice({
  what,
  at,
  isPending,
  onResend,
  onGiveUp,
  children,
}: {
  /** "An order of 2 × Metal S" */
  readonly what: string;
  readonly at: number;
  readonly isPending: boolean;
  readonly onResend: () => void;
  readonly onGiveUp: () => void;
  readonly children?: ReactNode;
}) {
  return (
    <Notice
      tone="warn"
      isNews
      title={`${what} was sent, and its answer was lost`}
      actions={
        <>
          <Button size="small" look="primary" isPending={isPending} onClick={onResend}>
            Send it again
          </Button>
          <Button size="small" disabled={isPending} onClick={onGiveUp}>
            Give it up
          </Button>
        </>
      }
    >
      <p>
        That was on <Time at={new Date(at).toISOString()} />. Nobody here can tell whether it was
        recorded. Sending it again goes with the same key: if it was recorded you get that answer,
        and if not it is done now. Either way it is done once.
      </p>
      {children}
    </Notice>
  );
}
