import { useState, type ReactNode } from "react";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { TextArea } from "#ui/field.tsx";

/** Asks before something is done to a customer, and why: the reason is kept. */
export function ReasonDialog({
  title,
  description,
  doIt,
  isShownToCustomer = false,
  isDangerous = false,
  isPending,
  error,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  readonly description: ReactNode;
  readonly doIt: string;
  /** The customer reads the reason as it is written here. */
  readonly isShownToCustomer?: boolean;
  readonly isDangerous?: boolean;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onConfirm: (reason: string) => void;
  readonly onClose: () => void;
  /** More fields, above the reason. */
  readonly children?: ReactNode;
}) {
  const [reason, setReason] = useState("");
  return (
    <ConfirmDialog
      isOpen
      title={title}
      description={<p>{description}</p>}
      doIt={doIt}
      isDangerous={isDangerous}
      isPending={isPending}
      isBlocked={reason.trim() === ""}
      error={error}
      onConfirm={() => onConfirm(reason.trim())}
      onClose={onClose}
    >
      {children}
      <TextArea
        name="reason"
        label="Reason"
        hint={
          isShownToCustomer
            ? "The customer sees this text. It is kept in the audit too."
            : "It is kept in the audit. Where money moves, the customer reads it too."
        }
        rows={3}
        value={reason}
        onChange={setReason}
      />
    </ConfirmDialog>
  );
}
