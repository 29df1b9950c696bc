import { useChange } from "#data/use-change.ts";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";
import { PasswordDialog } from "./add-operator-dialog.tsx";
import type { OperatorDialog } from "./operator-dialog.ts";

export function ResetDialog({ operator: { id, username }, onClose }: OperatorDialog) {
  const reset = useChange(client.resetOperator, [keys.operators]);
  if (reset.data !== undefined) {
    return <PasswordDialog username={username} password={reset.data.password} onClose={onClose} />;
  }
  return (
    <ConfirmDialog
      isOpen
      title={`Reset ${username}?`}
      description={
        <p>
          For an operator who has lost the password or the second factor. Sets a new password,
          removes the authenticator app and passkeys, and ends every session.
        </p>
      }
      confirmLabel="Reset operator"
      isDangerous
      isPending={reset.isPending}
      error={reset.error}
      onConfirm={() => reset.mutate({ id })}
      onClose={onClose}
    />
  );
}
