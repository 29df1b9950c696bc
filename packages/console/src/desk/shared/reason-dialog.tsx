import { useState, type ReactNode } from "react";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { TextArea } from "#ui/field.tsx";

/** Asks for confirmation and a reason, which is recorded. */
export function ReasonDialog({
  title,
  description,
  confirmLabel,
  isShownToCustomer = false,
  hint = isShownToCustomer
    ? "The customer sees this text. It is also in the audit log."
    : "Recorded in the audit log. If money moves, the customer sees it too.",
  isDangerous = false,
  isPending,
  error,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  readonly description: ReactNode;
  readonly confirmLabel: string;
  /** The customer sees the reason as written. */
  readonly isShownToCustomer?: boolean;
  /** Who reads the reason. */
  readonly hint?: string;
  readonly isDangerous?: boolean;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onConfirm: (reason: string) => void;
  readonly onClose: () => void;
  /** Additional fields, shown above the reason. */
  readonly children?: ReactNode;
}) {
  const [reason, setReason] = useState("");
  return (
    <ConfirmDialog
      isOpen
      title={title}
      description={<p>{description}</p>}
      confirmLabel={confirmLabel}
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
        hint={hint}
        rows={3}
        value={reason}
        onChange={setReason}
      />
    </ConfirmDialog>
  );
}
