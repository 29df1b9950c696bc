import { useChange } from "#data/use-change.ts";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";
import type { OperatorDialog } from "./operator-dialog.ts";

/** Disables an operator, or enables one again. */
export function StatusDialog({ operator: { id, username, disabledAt }, onClose }: OperatorDialog) {
  const change = useChange(client.changeOperator, [keys.operators, keys.operator]);
  const disabled = disabledAt === null;
  const verb = disabled ? "Disable" : "Enable";
  const done = () => {
    toast(`${verb}d ${username}`);
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen
      title={`${verb} ${username}?`}
      description={
        <p>
          {disabled
            ? "Every session ends at once. Approvals of withdrawals and proposed rates become void."
            : "Password, second factor, role and networks are as before."}
        </p>
      }
      confirmLabel={`${verb} operator`}
      isDangerous={disabled}
      isPending={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ id, disabled }, { onSuccess: done })}
      onClose={onClose}
    />
  );
}
